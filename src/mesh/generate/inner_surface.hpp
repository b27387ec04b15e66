/// Cavities that a request asks for.
#pragma once

#include "brisance/mesh/request.hpp"
#include "brisance/mesh/surface.hpp"

#include "mesh/generate/size_estimate.hpp"

namespace brisance::mesh {

[[nodiscard]] bool has_cavity(const Request& request);

/// Throws core::Error where the keys of cavities contradict others. Local.
void require_valid_cavity(const Request& request);

/// Of the body that a closed surface bounds [m].
[[nodiscard]] Vec3 centroid_of(const Surface& surface);

/// A body's surface, shrunk by the request's cavity_scale about its centroid.
[[nodiscard]] Surface scaled_inside(Surface surface, const Request& request);

/// The outside with the inner surface, which faces outward, as the wall of a cavity. Sources of the wall follow those
/// of the outside. Throws core::Error unless the one lies inside the other. Local.
[[nodiscard]] Surface with_cavity(Surface outside, const Surface& inner);
/// The same with the cavity that the request asks for; without one the surface as it is.
[[nodiscard]] Surface with_cavity(Surface outside, const Request& request);

/// The size of a shape with the cavity that the request asks for.
[[nodiscard]] BodySize less_cavity(BodySize size, const Request& request);

}  // namespace brisance::mesh
