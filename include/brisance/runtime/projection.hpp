// SPDX-License-Identifier: MIT
/// Modes on atoms as an orthonormal basis, and projection of a displacement onto their span.
#pragma once

#include "brisance/runtime/span.hpp"

#include <vector>

namespace brisance::runtime {

/// Several modes, each num_atoms × components values, one after the other.
struct AtomModes {
  int components = 1;
  std::vector<double> value;
};

/// Makes the modes orthonormal, Σ_atoms weight·uᵢ·uⱼ = δᵢⱼ, each against those before it (Gram–Schmidt, twice), and
/// drops those whose remaining norm is below `smallest_norm`. Returns the indices of those kept.
/// @param weight  volume of each atom [m³]; 0 excludes an atom
std::vector<int> orthonormalise(AtomModes& modes, Span<const double> weight, double smallest_norm);

/// w* = Σᵢ uᵢ (uᵢᵀ M w), [S22] eq. (20), for orthonormal modes: the closest displacement in their span.
/// @param displacement  w, num_atoms × components
[[nodiscard]] std::vector<double> project(const AtomModes& modes, Span<const double> weight,
                                          Span<const double> displacement);

}  // namespace brisance::runtime
