/// This rank's rows of the general problem.
#pragma once

#include "brisance/la/row_forest.hpp"
#include "brisance/modes/general/general_problem.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// Unknowns of a cell.
enum class CellField : std::uint8_t {
  scalar,   ///< one number for each cell
  vector,   ///< one displacement for each cell
  corners,  ///< a displacement at each corner, corner by corner
};
[[nodiscard]] CellField cell_field(const GeneralProblem& problem);

/// A face with the data of its rows, except the tensor.
struct FaceShare {
  PetscInt a, b;  ///< numbers of the shares' cells
  double weight, area;
  std::array<std::int8_t, 3> corner_a, corner_b;  ///< the same nodes as corners of each cell, in one order
};

/// The rank's cells [first_cell, first_cell + volume.size()): its own ones of the body or, where cells must stay joined
/// (without a strain energy), the sets of such cells whose lowest is its own; and its own faces of the body between
/// them.
struct BodyShare {
  CellField field = CellField::scalar;
  StrainEnergy strain = StrainEnergy::none;
  double omega = 1, poisson = 0.3;
  int dimension = 3;
  std::int64_t first_cell = 0;
  std::vector<double> volume;  ///< [m³]; [m²] in two dimensions
  std::vector<Vec3> corners;   ///< all corners of each cell, if there is a strain energy [m]
  std::vector<FaceShare> faces;
  std::vector<Mat3> tensor;             ///< W of each face, or one for all
  std::vector<std::int32_t> own_face;   ///< number of each face in DividedBody::own_faces
  std::vector<double> own_cell_volume;  ///< of the body's own cells
  la::RowForest cells;                  ///< from the shares' cells to the body's own ones

  /// Converts a field of `width` values for each cell from the body's own cells to the shares' (the mean over sets),
  /// and back. Collective.
  [[nodiscard]] std::vector<double> from_own_cells(const std::vector<double>& values, int width) const;
  [[nodiscard]] std::vector<double> on_own_cells(std::span<const double> values, int width) const;
};

/// This rank's share. Collective. Throws core::Error.
[[nodiscard]] BodyShare share_of(const GeneralProblem& problem);

}  // namespace brisance::modes
