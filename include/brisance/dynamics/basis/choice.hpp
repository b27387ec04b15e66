/// Which functions of the hierarchical basis are active.
#pragma once

#include "brisance/dynamics/basis/functions.hpp"
#include "brisance/dynamics/parameters.hpp"

#include <cstdint>
#include <span>

namespace brisance::dynamics {

struct BasisChoice {
  std::int64_t num_nodes = 0;     ///< of all ranks
  std::int64_t num_coarsest = 0;  ///< points of the coarsest lattice
  std::int64_t num_asked = 0;     ///< functions chosen, each counted once however many copies it has
};

/// Chooses kBasisLevel of all owned nodes by how much strain varies around them: the largest difference between a tet's
/// strain and the mean over the star, plus a quarter of that mean. Level l is asked for above a threshold that doubles
/// with each level, as the error of a function grows with its width; the threshold is the lowest with which functions
/// are at most `share` of the nodes.
/// @param wanted  by node slot: a factor on the measure; infinite: the node is free in any case
/// Collective; does not throw. The same for any division of the mesh.
BasisChoice choose_basis_levels(dist::Mesh& mesh, const BasisGrid& grid, double share, Strain strain,
                                std::span<const double> wanted);

}  // namespace brisance::dynamics
