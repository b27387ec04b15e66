/// Dividing every tet of a distributed mesh into eight.
#pragma once

#include "brisance/dist/distribute.hpp"
#include "brisance/dist/mesh.hpp"

namespace brisance::dist {

/// As many times as the options say: puts a node on the middle of every edge (rest position, position and velocity are
/// means of the ends) and divides each tet into its four corners and the octahedron between them, that one along its
/// shortest diagonal. Middles of the boundary's edges go on to where the options say they belong, as far as the tets
/// bear it (curved_middles.hpp), their positions with them and their velocities as the field of velocities goes on.
///
/// Every rank divides what it holds: nodes keep their owners, a middle belongs to the owner of the edge's lower end,
/// and nothing migrates. Ids become dense again: the middles of the edges up from a node follow it, by the id of their
/// other end; tet 8 e + k is child k of tet e. They depend on the mesh alone, and so does every bit.
///
/// Of the fields, kRegions (common to both ends), kFaceSource and kTetGroup go on; the others are as declared: for
/// meshes before their first step. Collective; throws core::Error on all ranks if a rank's tets become more than can be
/// counted.
RefinementReport refine(Mesh& mesh, const DistributeOptions& options);

}  // namespace brisance::dist
