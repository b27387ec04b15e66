/// A body divided over the ranks, as far as the general problem needs it.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/modes/general_problem.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// What a cell's unknowns are.
enum class CellField : std::uint8_t {
  scalar,   ///< one number
  vector,   ///< one displacement
  corners,  ///< a displacement at each corner, corner by corner
};
[[nodiscard]] CellField cell_field(const GeneralProblem& problem);

/// A face with all that its rows need. Cells are numbered in the order of the ranks' shares.
struct FaceShare {
  std::int32_t a, b;
  double weight, area;
  std::array<double, 9> tensor;                   ///< W, row by row
  std::array<std::int8_t, 3> corner_a, corner_b;  ///< the same nodes as corners of each cell
};

/// The rank's cells [first_cell, first_cell + volume.size()) and the faces whose cell `a` is among them. Without a
/// strain energy, cells that must hold together are one.
struct BodyShare {
  CellField field = CellField::scalar;
  StrainEnergy strain = StrainEnergy::none;
  double omega = 1, poisson = 0.3;
  int dimension = 3;
  std::int64_t num_cells = 0;  ///< of all ranks
  std::int64_t first_cell = 0;
  std::vector<double> volume;  ///< [m³]; [m²] in two dimensions
  std::vector<Vec3> corners;   ///< of each cell all, if there is a strain energy [m]
  std::vector<FaceShare> faces;
};

/// Which of the body's cells is where.
struct CellOrder {
  std::vector<std::int32_t> share_cell;  ///< number in the shares of each cell of the body
  std::vector<std::int64_t> first_cell;  ///< of each rank, and the number of all
  std::vector<double> volume;            ///< of the body's cells
  std::vector<std::int32_t> body_face;   ///< of the faces of all shares, one rank after the other
  std::size_t num_body_faces = 0;
};

/// Divides the body by recursive bisection along its longest extent.
/// @param problem  read on rank 0 only
/// @param order    set on rank 0
/// Collective.
[[nodiscard]] BodyShare share_out(const core::Comm& comm, const GeneralProblem& problem, CellOrder& order);

/// Rank 0's field of `width` values a cell of the body on the ranks' cells (the mean, where several are one), and back.
/// Collective.
void scatter_cells(const core::Comm& comm, const CellOrder& order, const std::vector<double>& on_body, int width,
                   std::span<double> mine);
[[nodiscard]] std::vector<double> gather_cells(const core::Comm& comm, const CellOrder& order,
                                               std::span<const double> mine, int width);
/// One value a face of the shares as one a face of the body, on rank 0; faces in no share get 0. Collective.
[[nodiscard]] std::vector<double> gather_faces(const core::Comm& comm, const CellOrder& order,
                                               std::span<const double> mine);

}  // namespace brisance::modes
