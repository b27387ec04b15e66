/// Divides every tet of a distributed mesh into eight.
#pragma once

#include "brisance/dist/distribute.hpp"
#include "brisance/dist/mesh.hpp"

namespace brisance::dist {

/// Repeats as often as the options say: puts a node on the middle of every edge (rest position, position and velocity
/// are means of the ends) and divides each tet into four at its corners and the octahedron between them, that one along
/// its shortest diagonal. Middles of boundary edges are then moved onto the surface by the options' function, as far as
/// the tets stay well shaped (curved_middles.hpp); their positions move with them, and their velocities are
/// extrapolated.
///
/// Every rank divides the tets it holds: nodes keep their owners, a middle belongs to the owner of the edge's lower
/// end, and nothing migrates. Ids become dense again: the middles of the edges up from a node follow it, ordered by the
/// id of their other end; tet 8 e + k is child k of tet e. Ids depend on the mesh alone, and so does every bit.
///
/// Of the fields, kRegions (common to both ends), kFaceSource and kTetGroup are inherited; the others get their
/// declared values: for meshes before their first step. Collective; throws core::Error on all ranks if a rank's tets
/// become more than can be counted.
RefinementReport refine(Mesh& mesh, const DistributeOptions& options);

}  // namespace brisance::dist
