/// Crack fronts: which nodes the edge of a crack runs through, along which direction, and where it would grow.
#pragma once

#include "brisance/dist/mesh.hpp"

#include <optional>
#include <span>
#include <vector>

namespace brisance::fracture {

/// The front at one node, in rest coordinates: unit vectors, perpendicular to each other.
struct Front {
  Vec3 tangent;  ///< along the front; its largest component is positive
  Vec3 growth;   ///< in the plane of the crack's last faces, away from the crack
};

/// The front through an owned node, as its star shows it, or none. A front edge is a boundary edge at which two
/// boundary faces fold back upon each other: what they enclose without matter is less than 45°, so that the tets around
/// it fill 315° or more, and stress grows as at a crack (as r^−0.495 or faster, r^−0.5 at a crack). The tangent is the
/// chord between the ends of the node's two front edges, of those the most opposite where cracks meet; growth is the
/// mean over both, weighted with their lengths, of the direction perpendicular to the edge and away from its faces.
/// Cracks show so, and slits and sharp notches of the uncut mesh. A pure function of the star at rest. Local.
[[nodiscard]] std::optional<Front> front_at(const dist::Mesh& mesh, LocalNode n);

/// The other ends of all front edges at an owned node. Local.
[[nodiscard]] std::vector<LocalNode> front_neighbours(const dist::Mesh& mesh, LocalNode n);

/// Writes the fields of fronts (fields.hpp) of owned nodes whose stars are new; where there was a front already, its
/// birth stays. `nodes`: those, after a round of cuts. Local.
void note_fronts(dist::Mesh& mesh, std::span<const LocalNode> nodes, double time_s);
/// The same of all owned nodes, of a mesh that is not cut yet; born at 0. Local.
void note_fronts(dist::Mesh& mesh);

/// What the fields say of a node; none where it is on no front. Local.
[[nodiscard]] std::optional<Front> noted_front(const dist::Mesh& mesh, LocalNode n);

/// The same in present coordinates: tangent and crack plane go with the mean deformation gradient of the star (by rest
/// volumes), growth is made perpendicular to the tangent again. None where the star is so crushed that this has no
/// direction. Owned nodes. Local.
[[nodiscard]] std::optional<Front> present_front(const dist::Mesh& mesh, LocalNode n);
/// The front through a node of its star, which may be a ghost, in the same coordinates. Local.
[[nodiscard]] std::optional<Front> present_front(const dist::Mesh& mesh, LocalNode n, LocalNode seen);

}  // namespace brisance::fracture
