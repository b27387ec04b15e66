/// Where a crack between tets that stay whole ends: on faces of tets, near a vertex.
#pragma once

#include "brisance/fracture/fronts.hpp"

#include "vertex_star.hpp"

#include <array>
#include <optional>
#include <span>

namespace brisance::fracture {

/// Do the two tets at a face divide its vertices in different ways? A crack ends there.
[[nodiscard]] bool is_front_face(std::span<const StarTet> star, const StarFace& face);

/// Does a crack end at this vertex, which is owned here? Local.
[[nodiscard]] bool is_at_front(const dist::Mesh& mesh, const VirtualNodes& nodes, GlobalNode vertex);

/// Area vector of the crack face across an edge of a tet with these corners that ends in the block, away from that
/// block; else zero [m²].
[[nodiscard]] Vec3 crack_face_area(const elements::Partition& partition, int block, int edge,
                                   const std::array<Vec3, 4>& corners);

/// The front of a crack that ends at a vertex with a real node, at rest. It runs in faces between tets, from the points
/// where their edges are cut over the point of the face: these lines, their directions summed up, are its tangent, the
/// mean of their middles, weighted with their lengths, its offset. Growth is the mean of the directions from the centre
/// of the tet behind to each of them. None where no crack ends, or where this has no direction. The star is that of the
/// vertex, complete at its owner. Local.
[[nodiscard]] std::optional<Front> crack_front(const dist::Mesh& mesh, std::span<const StarTet> star);

}  // namespace brisance::fracture
