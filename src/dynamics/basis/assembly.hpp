/// The matrix of a ReducedSystem: what is computed once for a set of functions, and what each filling adds up.
#pragma once

#include "brisance/core/rounded_sums.hpp"
#include "brisance/dynamics/basis/reduced_system.hpp"

#include "element_terms.hpp"
#include "symmetric_matrix.hpp"

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

class ReducedSystem::Assembly {
public:
  /// Collective.
  Assembly(const dist::Mesh& mesh, const BasisGrid& grid, const Functions& functions,
           std::span<const ConstrainedAxes> held);
  /// Collective.
  void fill(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, const Parameters& parameters,
            const StepEquation& equation, std::span<const NodeBlock> blocks);

  [[nodiscard]] const SymmetricMatrix& matrix() const { return matrix_; }
  [[nodiscard]] double gathered_share() const;

private:
  struct Key {
    std::int32_t piece, level, z, y, x;
    auto operator<=>(const Key&) const = default;
  };
  /// Tets of one cell that are turned together: their terms at rest in a lower half (TermSum).
  struct Cell {
    LocalElement turns;  ///< the tet whose rotation counts
    std::vector<std::int32_t> functions;
    std::vector<std::int32_t> places;  ///< of the blocks in the matrix
    std::vector<double> stiffness, damping, mass;
  };
  struct Plan;  // of cells, while they are made
  /// Bounds of the sums of all tets' terms of each function.
  struct Bounds {
    std::vector<double> stiffness, damping, mass;
  };

  void sort_tets(const dist::Mesh& mesh, const BasisGrid& grid, Plan& plan);
  void announce_cells(const dist::Mesh& mesh, Plan& plan) const;
  void make_pattern(const dist::Mesh& mesh, const Plan& plan);
  void sum_cells(const dist::Mesh& mesh, const Plan& plan);
  void find_bounds(const dist::Mesh& mesh);
  void find_quanta(const dist::Mesh& mesh, const Parameters& parameters, const StepEquation& equation,
                   std::span<const NodeBlock> blocks);
  void add_cell(const Cell& cell, const Mat3& rotation, double mass_weight, const StepEquation& equation);
  void add_tet(const dist::Mesh& mesh, LocalElement e, std::span<const dist::NodeMotion> motion,
               const Parameters& parameters, const StepEquation& equation);
  void add_block(const NodeBlock& block);
  void add(std::size_t row, std::int32_t column, std::size_t place, const double* block);
  [[nodiscard]] CornerLinks links(const dist::Mesh& mesh, LocalElement e) const;

  const Functions& functions_;
  std::span<const ConstrainedAxes> held_;
  bool is_damped_ = false;
  std::vector<std::int32_t> home_, loose_;  ///< slots of home tets; of those that enter one by one
  std::vector<Cell> cells_;                 ///< those that this rank adds
  Bounds bounds_;
  SymmetricMatrix matrix_;
  std::vector<core::Quantum> quanta_;  ///< by function
  TermSum terms_;
  std::vector<std::int32_t> chosen_, places_;  ///< scratch
  std::vector<double> values_;
};

}  // namespace brisance::dynamics
