/// Fracture modes of one object, computed once and used by impacts, pieces and playback.
#pragma once

#include "brisance/modes/body/cell_graph.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// Face weights of the discontinuity energy E(u) = Σ_f w_f ‖jump_f(u)‖.
enum class Weighting {
  area,       ///< w = η·area: total variation, converges under refinement
  sqrt_area,  ///< w = η·√area, [S22] eq. (5): grows under refinement
};

/// One mode: a value (scalar modes) or a vector on each cell, normalised to Σ_cells volume·‖u‖² = 1.
struct Mode {
  std::vector<double> value;  ///< num_cells × components, cell by cell [1/√m³]
  double energy = 0;          ///< E(u)
  double relative_gap = 0;    ///< (E − lower bound)/E of the last convex step: its certificate of optimality
  std::int32_t part = 0;      ///< connected part of the body on which it is not zero (connected_parts)
  std::vector<double> convex_energies;  ///< optimum of each convex step; the first is unique
  std::vector<double> convex_gaps;      ///< relative gap of each convex step
  bool settled = true;                  ///< false: the convex steps were stopped before the mode converged
  double strain_energy = 0;             ///< the part of `energy` due to deformation of the cells
  /// Root mean square of W·jump over each face (GeneralProblem), exactly 0 where it stays closed [1/√m³]; empty where a
  /// face's jump is the difference of its cells' values.
  std::vector<double> jump;
  /// Displacement of each corner of each cell [1/√m³], where cells deform (`value` is then their mean); else empty.
  std::vector<double> corner_value;
};

/// Modes in the order found, the constant (rigid) mode first. With one component every mode represents one displacement
/// mode along each axis, of equal energy and equal partition (the reduced problem separates).
struct ModeSet {
  Weighting weighting = Weighting::area;
  int dimension = 3;   ///< of space: 3 or 2
  int components = 1;  ///< of Mode::value
  /// [S22] eq. (26) with a diagonal η: a scalar mode of energy E as a displacement along axis a has the energy η_a E.
  std::array<double, 3> axis_strength{1, 1, 1};
  std::vector<Mode> modes;

  /// Is the energy of a displacement the same along all axes of space?
  [[nodiscard]] bool same_along_all_axes() const;
  /// Number of displacement modes that one of `modes` represents.
  [[nodiscard]] int displacements() const { return components == 1 ? dimension : 1; }
};

/// Number of these fields among the lowest displacement modes along each axis: those whose energy η_a E does not exceed
/// that of any field not yet found, where fields are found in the order of their energies. Along the weakest axis these
/// are all of them; for vector modes, all along each axis.
/// @param energy  of scalar fields
/// Local; does not throw.
[[nodiscard]] std::array<std::int32_t, 3> num_lowest(const ModeSet& set, std::span<const double> energy);

}  // namespace brisance::modes
