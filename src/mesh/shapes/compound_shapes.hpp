/// Shapes that are put together: bone, mug, chair, head.
#pragma once

#include "brisance/mesh/request.hpp"
#include "brisance/mesh/surface.hpp"

namespace brisance::mesh {

[[nodiscard]] bool is_compound(ShapeKind kind);

/// The union of the parts of a compound shape, each triangulated at the edge length, with irregular triangles along the
/// seams: to be remeshed. Deterministic. Local.
[[nodiscard]] Surface compound_surface(const Request& request, double edge_length_m);

/// Volume: exact for the chair; for bone, mug and head that of a surface with triangles far smaller than the shape
/// [m³].
[[nodiscard]] double compound_volume_m3(const Request& request);

/// Throws core::Error if the dimensions contradict each other.
void require_valid_compound(const Request& request);

}  // namespace brisance::mesh
