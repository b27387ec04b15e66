/// One V-cycle through the levels of a lattice: the preconditioner of LatticeSolver.
#pragma once

#include "brisance/dynamics/lattice.hpp"
#include "brisance/dynamics/ordered_rows.hpp"

#include "lattice_matrix.hpp"
#include "pivoted_cholesky.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

class LatticePreconditioner {
public:
  /// Makes lattice and patterns, which are valid as long as the rows are. Collective; throws core::Error (Lattice).
  LatticePreconditioner(const dist::Mesh& mesh, const OrderedRows& rows, double spacing, int sweeps);

  /// For the matrix as it was last filled. @param held  by node slot, ghosts included. Collective.
  void set_up(const dist::Mesh& mesh, std::span<const ConstrainedAxes> held);
  /// Until the next set-up, smoothing assumes larger eigenvalues than estimated: to be called when it has proved not to
  /// be positive. Local.
  void smooth_with_care();
  /// z ≈ A⁻¹ r, by node slot, of owned nodes; symmetric and positive. Collective.
  void apply(const dist::Mesh& mesh, std::span<const Vec3> r, std::span<Vec3> z);

  [[nodiscard]] const Lattice& lattice() const { return lattice_; }
  [[nodiscard]] std::size_t memory_bytes() const;  ///< of matrices and factors, of this rank

private:
  class Nodes;
  class Points;
  struct Level {
    LatticeMatrix matrix;
    std::vector<Mat3> inverse;
    double upper = 0;                      ///< of the eigenvalues of D⁻¹A
    std::vector<PivotedCholesky> factors;  ///< of the pieces that are solved directly
    std::vector<Vec3> x, r, step, product;
  };
  void set_up(std::size_t l);
  void estimate_upper_bound();
  void restrict_to_lattice(std::span<const Vec3> r);
  void take_from_lattice(std::span<Vec3> to) const;
  void cycle(std::size_t l);

  const dist::Mesh* mesh_;  ///< of the current call
  const OrderedRows& rows_;
  Lattice lattice_;
  int sweeps_;
  std::int64_t num_nodes_;
  std::vector<Level> levels_;
  std::vector<Mat3> inverse_;  ///< of each row's diagonal block
  double upper_ = 0;
  std::vector<ConstrainedAxes> held_;
  std::vector<Vec3> r_, step_, product_;  ///< by node slot
};

}  // namespace brisance::dynamics
