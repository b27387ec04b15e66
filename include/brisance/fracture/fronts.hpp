/// Crack fronts: the nodes on the edge of a crack, the edge's direction, and the direction of growth.
#pragma once

#include "brisance/dist/mesh.hpp"

#include <optional>
#include <span>
#include <vector>

namespace brisance::fracture {

/// The front at one node, in rest coordinates: perpendicular unit vectors.
struct Front {
  Vec3 tangent;                ///< along the front; its largest component is positive
  Vec3 growth;                 ///< in the plane of the crack's last faces, away from the crack
  Vec3 offset = Vec3::Zero();  ///< from the node to the front, where cracks end inside tets [m]
};

/// The front with these directions, of any length and sign, made perpendicular unit vectors; none if they have no
/// direction or are parallel. Local.
[[nodiscard]] std::optional<Front> orthonormal_front(Vec3 tangent, Vec3 growth, const Vec3& offset = Vec3::Zero());

/// The front through an owned node, found from its star, or none. A front edge is a boundary edge at which two boundary
/// faces fold back upon each other: the empty wedge between them is less than 45°, so that the tets around it fill 315°
/// or more, and stress grows as at a crack (as r^−0.495 or faster, r^−0.5 at a crack). The tangent is the chord between
/// the ends of the node's two front edges, where cracks meet of the two most opposite ones. Growth is the mean over
/// both, weighted with their lengths, of the direction perpendicular to the edge and away from its faces. Slits and
/// sharp notches of the uncut mesh count as fronts, too. A pure function of the star at rest. Local.
[[nodiscard]] std::optional<Front> front_at(const dist::Mesh& mesh, LocalNode n);

/// The other ends of all front edges at an owned node. Local.
[[nodiscard]] std::vector<LocalNode> front_neighbours(const dist::Mesh& mesh, LocalNode n);

/// Writes the fields of the front (fields.hpp) at an owned node, or of none; a front that existed keeps its time of
/// birth. Local.
void note_front(dist::Mesh& mesh, LocalNode n, const std::optional<Front>& front, double time_s);
/// The same for the fronts along edges of the mesh (front_at) at owned nodes whose stars have changed. `nodes`: these
/// nodes, after a round of cuts. Local.
void note_fronts(dist::Mesh& mesh, std::span<const LocalNode> nodes, double time_s);
/// The same for all owned nodes of a mesh that is not cut yet; fronts are born at time 0. Local.
void note_fronts(dist::Mesh& mesh);

/// The front of an owned node from the fields; none where the node is on no front. Local.
[[nodiscard]] std::optional<Front> noted_front(const dist::Mesh& mesh, LocalNode n);

/// The same in present coordinates: tangent, crack plane and offset are mapped by the mean deformation gradient of the
/// star (weighted with rest volumes); growth is made perpendicular to the tangent again. None if the star is so
/// distorted that this has no direction. Owned nodes. Local.
[[nodiscard]] std::optional<Front> present_front(const dist::Mesh& mesh, LocalNode n);

}  // namespace brisance::fracture
