/// A crack through a vertex between tets that stay whole: which vertices around it are on which side.
#pragma once

#include "brisance/fracture/parameters.hpp"

#include "vertex_star.hpp"

#include <cstdint>
#include <vector>

namespace brisance::fracture {

/// Vertices that leave their block.
struct BlockSplit {
  int tet;              ///< index in the star
  int block;            ///< lowest vertex of the block
  std::uint8_t second;  ///< bits of the vertices on the other side than the node that fails
};

/// An edge that is cut for the first time: at (1 − t) low + t high; low has the lower id.
struct PlacedEdge {
  GlobalNode low, high;
  double t;
};

struct CrackSides {
  bool is_at_front = false;        ///< a crack ended at the vertex before
  std::vector<BlockSplit> splits;  ///< none: the plane changes nothing
  std::vector<PlacedEdge> edges;   ///< placed by this crack
};

/// The crack at a real node across the plane with this normal, in world coordinates. Where no crack ends at the node
/// the plane goes through it. Where one does, it goes on: the normal is the mean of the given one and that of the old
/// crack if they are within 60°, turned and shifted so that the plane holds the points where the old crack ends, and
/// vertices around it keep the side of the old crack that they are on. Without these rules a crack in a mesh with
/// scattered normals does not part it. With Direction::hoop the normal is taken as it is, since it contains the front's
/// tangent; with suppress_back_cracking all vertices behind the front keep their sides. Local; at the owner.
[[nodiscard]] CrackSides crack_sides(const dist::Mesh& mesh, std::span<const StarTet> star, LocalNode node,
                                     const Vec3& normal, const Parameters& parameters);

}  // namespace brisance::fracture
