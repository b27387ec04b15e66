/// Makes the reference surfaces of generated meshes.
#pragma once

#include "brisance/mesh/reference.hpp"
#include "brisance/mesh/request.hpp"
#include "brisance/mesh/surface.hpp"

namespace brisance::mesh {

/// Is the mesh of a request to be refined onto a reference? Not for cages, nor for shapes with flat sides.
[[nodiscard]] bool is_followed(const Request& request);

/// Reference of a shape of revolution, with its scaled cavity; a cavity from a file is left out, since it is meshed as
/// it is.
/// @param edge_length_m  of the filled surface, about whose centroid the cavity was scaled
[[nodiscard]] Reference turned_reference(const Request& request, double edge_length_m);

/// Reference of a remeshed surface; its creases are the edges at which it turns by more than the angle.
[[nodiscard]] Reference triangle_reference(const Surface& surface, double feature_angle_deg);

}  // namespace brisance::mesh
