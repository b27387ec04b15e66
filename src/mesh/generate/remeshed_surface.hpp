/// Fillable surfaces of a wanted edge length, made from the surface of a file or of a shape of several parts.
#pragma once

#include "brisance/mesh/request.hpp"
#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/surface/remesh.hpp"

#include <optional>

namespace brisance::mesh {

/// The name of the request in messages: its file or its shape.
[[nodiscard]] std::string name_of(const Request& request);

/// Even triangles, with the creases that these can follow (remesh.hpp). Where remeshing makes thin parts cross
/// themselves, somewhat shorter edges are tried. Throws core::FailedMeshing where none of them succeed. Local.
[[nodiscard]] Surface remeshed_surface(const Surface& surface, double edge_m, const Request& request,
                                       RemeshReport& report);

/// Even triangles with all creases, however near to each other: for thin plates, whose rims are as near as the plate is
/// thick. Nothing where the result crosses itself. Local.
[[nodiscard]] std::optional<Surface> creased_surface(const Surface& surface, double edge_m, const Request& request,
                                                     RemeshReport& report);

/// The surface itself, its edges halved until none is longer than 4/3 of the wanted length. Nothing where the surface
/// is much finer already. Local.
[[nodiscard]] std::optional<Surface> divided_surface(const Surface& surface, double edge_m, const Request& request,
                                                     RemeshReport& report);

}  // namespace brisance::mesh
