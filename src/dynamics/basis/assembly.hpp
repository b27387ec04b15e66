/// The matrix of a ReducedSystem: what is computed once for a set of functions, and what each filling adds up.
#pragma once

#include "brisance/core/rounded_sums.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/dynamics/basis/reduced_system.hpp"

#include "element_terms.hpp"
#include "function_matrix.hpp"

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

inline constexpr ConstrainedAxes kHeld = 7;  ///< a node that never moves

class ReducedSystem::Assembly {
public:
  /// Collective.
  Assembly(const dist::Mesh& mesh, const BasisGrid& grid, const Functions& functions,
           std::span<const ConstrainedAxes> held);
  /// Collective.
  void fill(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, const Parameters& parameters,
            const StepEquation& equation, std::span<const NodeBlock> blocks);

  /// The mean rotation of each piece. Collective.
  [[nodiscard]] std::vector<Mat3> rotations(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion,
                                            Strain strain) const;

  /// The piece that each function of the direct solution moves, by number in that.
  [[nodiscard]] std::span<const std::int32_t> pieces() const { return piece_of_function_; }

  [[nodiscard]] const FunctionMatrix& matrix() const { return matrix_; }
  [[nodiscard]] double gathered_share() const;
  /// Components in which a lattice function is a combination of others, to rounding: its rows and columns are zero.
  [[nodiscard]] ConstrainedAxes dependent(std::int32_t function) const {
    return dependent_[static_cast<std::size_t>(function)];
  }

private:
  struct Key {
    std::int32_t piece, material, level, z, y, x;
    auto operator<=>(const Key&) const = default;
  };
  /// Tets of one cell and material that are turned together. Sums over them at rest, in a lower half (pair_index), nine
  /// values a block: Σ V ∇f ∇gᵀ, and the same with each tet's factor of damping.
  struct Cell {
    std::int32_t number;  ///< among all ranks' cells
    std::int32_t material, piece;
    double num_tets;     ///< of all ranks
    LocalElement turns;  ///< the tet whose rotation counts
    std::vector<std::int32_t> functions;
    std::vector<std::int32_t> places;  ///< of the blocks among the matrix's terms
    std::vector<double> stiffness, damping;
  };
  struct Plan;  // of cells, while they are made
  struct Lists;
  /// Bounds of the sums of all tets' terms of each function.
  struct Bounds {
    std::vector<double> stiffness, damping;
  };

  void find_pieces_of_functions(const dist::Mesh& mesh, const dist::Pieces& pieces);
  void sort_tets(const dist::Mesh& mesh, const BasisGrid& grid, const dist::Pieces& pieces, Plan& plan);
  void announce_cells(const dist::Mesh& mesh, Plan& plan);
  void find_gradients(const dist::Mesh& mesh, LocalElement e);
  void sum_cells(const dist::Mesh& mesh, const Plan& plan);
  void add_to_cell(const dist::Mesh& mesh, LocalElement e, const core::Quantum& of_stiffness,
                   const core::Quantum& of_damping, Cell& cell);
  void join_cells(const dist::Mesh& mesh, const Plan& plan);
  void make_pattern(const dist::Mesh& mesh);
  void find_masses(const dist::Mesh& mesh);
  void find_dependent(const core::Comm& comm);
  void leave_out_dependent(std::span<double> blocks, std::size_t width) const;
  void find_bounds(const dist::Mesh& mesh);
  void find_quanta(const dist::Mesh& mesh, const StepEquation& equation, std::span<const NodeBlock> blocks);
  void add_cell(const dist::Mesh& mesh, const Cell& cell, const Mat3& rotation, const StepEquation& equation);
  void add_tet(const dist::Mesh& mesh, std::size_t which, std::span<const dist::NodeMotion> motion,
               const Parameters& parameters, const StepEquation& equation);
  void add_free_tet(const elements::StiffnessMatrix<3>& k, const CornerLinks& corners, const std::int32_t* place);
  void add_block(const NodeBlock& block);
  void add_masses(double weight);
  void add(std::size_t row, std::int32_t column, std::size_t place, const double* block);
  [[nodiscard]] CornerLinks links(const dist::Mesh& mesh, LocalElement e) const;

  const Functions& functions_;
  std::span<const ConstrainedAxes> held_;
  bool is_damped_ = false;
  std::vector<std::int32_t> home_, loose_;      ///< slots of home tets that may move; of those that enter one by one
  std::vector<std::int32_t> piece_of_loose_;    ///< by loose tet
  std::vector<std::int32_t> loose_places_;      ///< of the loose tets' blocks among the matrix's terms
  std::vector<std::size_t> first_loose_place_;  ///< by loose tet
  std::vector<Cell> cells_;                     ///< those that this rank adds
  std::size_t num_pieces_ = 0;
  std::vector<std::int32_t> piece_of_function_;
  Bounds bounds_;
  FunctionMatrix matrix_;
  std::vector<double> masses_;  ///< Σ m w wᵀ of nodes without prescribed motion along each axis, of the rows
  std::vector<ConstrainedAxes> dependent_;  ///< by function
  std::vector<int> exponent_;               ///< of the bound of each function
  std::vector<core::Quantum> quanta_;       ///< of a block, by the sum of its functions' exponents
  int least_exponent_ = 0;                  ///< of that of the first
  TermSum terms_;
  std::vector<std::int32_t> chosen_, places_, place_in_cell_;  ///< scratch
  std::vector<double> values_;
  std::vector<Vec3> gradients_;
};

}  // namespace brisance::dynamics
