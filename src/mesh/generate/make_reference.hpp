/// The references of meshes that are made.
#pragma once

#include "brisance/mesh/reference.hpp"
#include "brisance/mesh/request.hpp"
#include "brisance/mesh/surface.hpp"

namespace brisance::mesh {

/// Whether the mesh of a request is to be refined and to follow what it stands for: no cage, and no shape whose sides
/// are flat.
[[nodiscard]] bool is_followed(const Request& request);

/// Of a shape that a lathe could make, with its scaled cavity; a cavity from a file is not in it, since it is meshed as
/// it is.
/// @param edge_length_m  of the surface that was filled: about its centroid the cavity was scaled
[[nodiscard]] Reference turned_reference(const Request& request, double edge_length_m);

/// Of a surface that was remeshed; its creases are the edges at which it turns by more than the angle.
[[nodiscard]] Reference triangle_reference(const Surface& surface, double feature_angle_deg);

}  // namespace brisance::mesh
