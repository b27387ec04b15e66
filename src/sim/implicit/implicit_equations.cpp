#include "brisance/sim/implicit/implicit_equations.hpp"

#include "brisance/core/exact_sum.hpp"
#include "brisance/dynamics/basis/functions.hpp"
#include "brisance/dynamics/basis/reduced_system.hpp"
#include "brisance/la/vector_view.hpp"

#include <array>
#include <cmath>

#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

constexpr double kMostFree = 0.75;  ///< share of the nodes with which lattice functions save little [–]

template <class View>
auto entries(View& view, const dynamics::StepMatrix& matrix, LocalNode n) {
  return view.values().subspan(matrix.row(n), 3);
}

/// Does the option -dyn_pc_type choose the preconditioner?
bool was_chosen_by_option() {
  PetscBool given = PETSC_FALSE;
  la::check(PetscOptionsHasName(nullptr, "dyn_", "-pc_type", &given), "PetscOptionsHasName");
  return given == PETSC_TRUE;
}

/// Without a choice by option or scene, the lattice solver takes stiff systems.
bool takes_lattice(dynamics::Solver solver, bool stiff) {
  if (was_chosen_by_option()) return dynamics::lattice_was_asked_for();
  return solver == dynamics::Solver::lattice || stiff;
}

void warn_of_unknown_options(const core::Comm& comm) {
  if (!comm.is_root()) return;
  for (const std::string& option : dynamics::unknown_step_options())
    spdlog::warn(
        "PETSc knows no option {} for the solver of implicit steps: it has no effect. -help lists those it has.",
        option);
}

}  // namespace

ImplicitEquations::ImplicitEquations() = default;
ImplicitEquations::~ImplicitEquations() = default;

void ImplicitEquations::forget() {
  has_functions_.reset();
  reduced_.reset();
  solver_.reset();
  lattice_.reset();
  matrix_.reset();
}

dynamics::SolveReport ImplicitEquations::solve(const dist::Mesh& mesh, const dynamics::Parameters& parameters,
                                               const dynamics::StepEquation& equation, bool stiff, const System& system,
                                               std::span<Vec3> change) {
  if (has_functions(mesh, parameters)) return solve_reduced(mesh, parameters, equation, system, change);
  if (!matrix_) {
    matrix_ = std::make_unique<dynamics::StepMatrix>(mesh);
    ++num_matrices_;
  }
  if (parameters.basis == dynamics::BasisKind::hierarchical) {
    active_functions_ = matrix_->num_nodes();
    active_share_ = 1;
  }
  matrix_->fill(mesh, system.motion, parameters, equation, system.blocks, system.held);
  const bool automatic = parameters.solver == dynamics::Solver::automatic && !was_chosen_by_option();
  const bool by_lattice = has_few_functions(parameters) || takes_lattice(parameters.solver, stiff || found_stiff_);
  if (by_lattice) {
    if (!lattice_) lattice_ = std::make_unique<dynamics::LatticeSolver>(mesh, *matrix_, parameters.solver_tolerance);
    last_ = lattice_->solve(mesh, *matrix_, system.held, system.right, system.target, change, system.couplings);
  }
  if (!by_lattice || (automatic && !last_.converged))
    last_ = solve_by_petsc(mesh, parameters, stiff, system, equation.step_s, change);
  ++num_solves_;
  num_iterations_ += last_.iterations;
  if (!options_checked_) warn_of_unknown_options(mesh.comm());
  options_checked_ = true;
  return last_;
}

bool ImplicitEquations::has_functions(const dist::Mesh& mesh, const dynamics::Parameters& parameters) {
  if (!has_few_functions(parameters)) return false;
  if (has_functions_) return *has_functions_;
  const auto& level = mesh.field(dynamics::kBasisLevel);
  std::array<std::int64_t, 2> count{};  // nodes, free ones
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) {
      ++count[0];
      count[1] += level[n] == dynamics::kFree ? 1 : 0;
    }
  count = mesh.comm().sum(count);
  has_functions_ = static_cast<double>(count[1]) <= kMostFree * static_cast<double>(count[0]);
  return *has_functions_;
}

dynamics::SolveReport ImplicitEquations::solve_reduced(const dist::Mesh& mesh, const dynamics::Parameters& parameters,
                                                       const dynamics::StepEquation& equation, const System& system,
                                                       std::span<Vec3> change) {
  dynamics::ReducedSystem& equations = reduced(mesh, parameters, system.held);
  equations.fill(mesh, system.motion, parameters, equation, system.blocks);
  last_ = equations.solve(mesh, system.right, system.target, parameters.solver_tolerance, change);
  ++num_solves_;
  num_iterations_ += last_.iterations;
  return last_;
}

const dynamics::BasisGrid& ImplicitEquations::grid(const dist::Mesh& mesh, const dynamics::Parameters& parameters) {
  if (!grid_)
    grid_ = std::make_unique<dynamics::BasisGrid>(
        dynamics::basis_grid(mesh, parameters.basis_cell_m, parameters.basis_levels));
  return *grid_;
}

dynamics::ReducedSystem& ImplicitEquations::reduced(const dist::Mesh& mesh, const dynamics::Parameters& parameters,
                                                    std::span<const dynamics::ConstrainedAxes> held) {
  if (reduced_ && !mesh.comm().any(!reduced_->was_made_for(held))) return *reduced_;
  reduced_ = std::make_unique<dynamics::ReducedSystem>(mesh, grid(mesh, parameters), held);
  ++num_matrices_;
  active_functions_ = reduced_->functions().count();
  active_share_ = static_cast<double>(active_functions_) / static_cast<double>(reduced_->functions().num_nodes());
  return *reduced_;
}

double ImplicitEquations::norm(const dist::Mesh& mesh, const dynamics::Parameters& parameters,
                               std::span<const dynamics::ConstrainedAxes> held, std::span<const Vec3> by_slot) {
  if (!has_functions(mesh, parameters)) return norm_over_ranks(mesh, by_slot);
  return reduced(mesh, parameters, held).norm(mesh, by_slot);
}

dynamics::SolveReport ImplicitEquations::solve_by_petsc(const dist::Mesh& mesh, const dynamics::Parameters& parameters,
                                                        bool stiff, const System& system, double step_s,
                                                        std::span<Vec3> change) {
  if (!solver_)
    solver_ =
        std::make_unique<dynamics::StepSolver>(mesh, *matrix_, parameters.solver_tolerance, stiff || found_stiff_);
  if (step_s != last_step_s_) solver_->start_afresh();
  last_step_s_ = step_s;

  la::Vector right = matrix_->vector(), unknown = matrix_->vector();
  {
    la::WriteView b(right.raw()), y(unknown.raw());
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
      const LocalNode n(i);
      if (!mesh.is_owned(n)) continue;
      Eigen::Map<Vec3>(entries(b, *matrix_, n).data()) = system.right[static_cast<std::size_t>(i)];
      Eigen::Map<Vec3>(entries(y, *matrix_, n).data()) = change[static_cast<std::size_t>(i)];
    }
  }
  dynamics::SolveReport report = solver_->solve(mesh, *matrix_, right, system.target, unknown, system.couplings);
  found_stiff_ = solver_->is_stiff();
  if (!report.converged) return report;
  const la::ReadView y(unknown.raw());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n))
      change[static_cast<std::size_t>(i)] = Eigen::Map<const Vec3>(entries(y, *matrix_, n).data());
  return report;
}

double norm_over_ranks(const dist::Mesh& mesh, std::span<const Vec3> by_slot) {
  core::ExactSum sum;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i))) sum.add(by_slot[static_cast<std::size_t>(i)].squaredNorm());
  sum.reduce(mesh.comm());
  return std::sqrt(sum.value());
}

}  // namespace brisance::sim
