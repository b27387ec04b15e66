/// Cavities of a request.
#pragma once

#include "brisance/mesh/request.hpp"
#include "brisance/mesh/surface.hpp"

#include "mesh/generate/size_estimate.hpp"

namespace brisance::mesh {

[[nodiscard]] bool has_cavity(const Request& request);

/// Throws core::Error where the keys of cavities contradict others. Local.
void require_valid_cavity(const Request& request);

/// Centroid of the body that a closed surface bounds [m].
[[nodiscard]] Vec3 centroid_of(const Surface& surface);

/// A body's surface, shrunk by the request's cavity_scale about its centroid.
[[nodiscard]] Surface scaled_inside(Surface surface, const Request& request);

/// Adds the inner surface, which faces outward, to the outside as the wall of a cavity. Sources of the wall follow
/// those of the outside. Throws core::Error unless it lies inside. Local.
[[nodiscard]] Surface with_cavity(Surface outside, const Surface& inner);
/// The same with the cavity of the request; without one the surface is returned unchanged.
[[nodiscard]] Surface with_cavity(Surface outside, const Request& request);

/// The size of a shape less the cavity of the request.
[[nodiscard]] BodySize less_cavity(BodySize size, const Request& request);

}  // namespace brisance::mesh
