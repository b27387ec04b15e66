/// Rotates modes into one another: the same space of fields, the same cracks, less energy.
#pragma once

#include "brisance/modes/body/cell_graph.hpp"

#include <span>
#include <vector>

namespace brisance::modes {

/// Lowers Σ_k E(u_k) over all orthogonal changes of basis of the fields, in pairs as in Jacobi's method.
///
/// For u_i cos θ + u_j sin θ and u_j cos θ − u_i sin θ the energy is a sum of terms w|r cos(θ − φ)|, concave between
/// the angles where a jump vanishes; so its minimum is at one of those, and all of them are tried.
/// @param fields  one value for each cell, orthonormal before and after
/// @return the energies, in the order of the fields
/// Local, deterministic; does not throw. For graphs of pieces: time grows with the square of the faces.
std::vector<double> rotate_modes(const CellGraph& graph, std::span<const double> face_weight,
                                 std::vector<std::vector<double>>& fields);

}  // namespace brisance::modes
