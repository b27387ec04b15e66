/// The Laplacian of a body with varying or directional strength: its smooth modes vary slowly where the body is strong,
/// so that searches start from cheap cracks.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/modes/body/cell_graph.hpp"
#include "brisance/modes/body/divided_body.hpp"
#include "brisance/modes/body/simplices.hpp"

#include <span>
#include <vector>

namespace brisance::modes {

/// A tensor D for each cell with nᵀ D n ≈ η(n)² for the faces around it, so that √(∇uᵀ D ∇u), for u that jumps across a
/// face, is the discontinuity energy there. It is the least-squares fit to the faces of a cell and of its neighbours,
/// of those the closest to isotropic; eigenvalues are limited to the range of η². The geometric mean of η² is scaled to
/// 1, and η is limited to a factor of 100 from it.
/// @param eta  one for each face, positive; empty means 1
/// @return one for each cell [–], or none at all if η is the same everywhere
/// Local; does not throw.
[[nodiscard]] std::vector<SymMat3> cell_conductivity(const Simplices& mesh, const CellGraph& graph,
                                                     std::span<const double> eta);
/// The same for the local cells of a divided body, with the η of its faces. Collective.
[[nodiscard]] std::vector<SymMat3> cell_conductivity(const DividedBody& body);

}  // namespace brisance::modes
