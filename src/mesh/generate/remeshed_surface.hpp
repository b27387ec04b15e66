/// Surfaces of a wanted edge length that can be filled, made of the surface of a file or of a shape of several parts.
#pragma once

#include "brisance/mesh/request.hpp"
#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/surface/remesh.hpp"

#include <optional>

namespace brisance::mesh {

/// What the request is called in messages: its file or its shape.
[[nodiscard]] std::string name_of(const Request& request);

/// Even triangles, creases as far as these can follow them (remesh.hpp). Remeshing can make thin parts cross
/// themselves; then somewhat shorter edges are taken. Throws core::FailedMeshing where none of them do. Local.
[[nodiscard]] Surface remeshed_surface(const Surface& surface, double edge_m, const Request& request,
                                       RemeshReport& report);

/// Even triangles and all creases, however near to each other: what thin plates need, whose rims are as near as they
/// are thick. Nothing where that crosses itself. Local.
[[nodiscard]] std::optional<Surface> creased_surface(const Surface& surface, double edge_m, const Request& request,
                                                     RemeshReport& report);

/// The surface itself, its edges halved until none is longer than 4/3 of the wanted length. Nothing where the surface
/// is much finer than that already. Local.
[[nodiscard]] std::optional<Surface> divided_surface(const Surface& surface, double edge_m, const Request& request,
                                                     RemeshReport& report);

}  // namespace brisance::mesh
