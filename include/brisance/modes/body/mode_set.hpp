/// Fracture modes of one object, as computed once and used by everything after: impacts, pieces, playback.
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
  std::int32_t part = 0;      ///< connected part of the body it lives on (connected_parts); 0 on the others
  std::vector<double> convex_energies;  ///< optimum of each convex step; the first is a unique number
  std::vector<double> convex_gaps;      ///< relative gap of each convex step
  bool settled = true;                  ///< false: the convex steps were stopped before the mode came to rest
  double strain_energy = 0;             ///< the part of `energy` that deforming the cells takes
  /// Root mean square of W·jump over each face (GeneralProblem), exactly 0 where it stays closed [1/√m³]; empty where a
  /// face's jump is the difference of its cells' values.
  std::vector<double> jump;
  /// Displacement of each corner of each cell, where cells deform, and then `value` is their mean; else empty
  /// [1/√m³].
  std::vector<double> corner_value;
};

/// Modes in the order found, the constant (rigid) mode first. With one component every mode stands for one displacement
/// mode along each axis, of equal energy and equal partition (the reduced problem separates).
struct ModeSet {
  Weighting weighting = Weighting::area;
  int dimension = 3;   ///< of space: 3 or 2
  int components = 1;  ///< of Mode::value
  /// [S22] eq. (26) with a diagonal η: a scalar mode of energy E moves the pieces along axis a at energy η_a E.
  std::array<double, 3> axis_strength{1, 1, 1};
  std::vector<Mode> modes;

  /// True if a displacement costs the same along all axes of space.
  [[nodiscard]] bool same_along_all_axes() const;
  /// How many displacement modes one of `modes` stands for.
  [[nodiscard]] int displacements() const { return components == 1 ? dimension : 1; }
};

/// How many of these fields are among the lowest displacement modes along each axis: those whose energy η_a E is no
/// more than that of any field not yet found, where fields are found in the order of their energies. Along the weakest
/// axis these are all of them. Of a set of vector modes, all count along each axis.
/// @param energy  of scalar fields
/// Local; does not throw.
[[nodiscard]] std::array<std::int32_t, 3> num_lowest(const ModeSet& set, std::span<const double> energy);

}  // namespace brisance::modes
