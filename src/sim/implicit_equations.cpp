#include "brisance/sim/implicit_equations.hpp"

#include "brisance/la/sums.hpp"
#include "brisance/la/vector_view.hpp"

#include <cmath>

#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

template <class View>
auto entries(View& view, const dynamics::StepMatrix& matrix, LocalNode n) {
  return view.values().template subspan(matrix.row(n), 3);
}

void warn_of_unknown_options(const core::Comm& comm) {
  if (!comm.is_root()) return;
  for (const std::string& option : dynamics::unknown_step_options())
    spdlog::warn(
        "PETSc knows no option {} for the solver of implicit steps: it has no effect. -help lists those it has.",
        option);
}

}  // namespace

dynamics::SolveReport ImplicitEquations::solve(const dist::Mesh& mesh, const dynamics::Parameters& parameters,
                                               const dynamics::StepEquation& equation, bool stiff, const System& system,
                                               std::span<Vec3> change) {
  if (!matrix_) {
    matrix_ = std::make_unique<dynamics::StepMatrix>(mesh);
    ++num_matrices_;
  }
  matrix_->fill(mesh, system.motion, parameters, equation, system.blocks, system.held);
  if (!solver_)
    solver_ =
        std::make_unique<dynamics::StepSolver>(mesh, *matrix_, parameters.solver_tolerance, stiff || found_stiff_);

  if (equation.step_s != last_step_s_) solver_->start_afresh();
  last_step_s_ = equation.step_s;

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
  last_ = solver_->solve(mesh, *matrix_, right, system.floor, unknown);
  found_stiff_ = solver_->is_stiff();
  ++num_solves_;
  num_iterations_ += last_.iterations;
  if (!options_checked_) warn_of_unknown_options(mesh.comm());
  options_checked_ = true;
  if (!last_.converged) return last_;
  const la::ReadView y(unknown.raw());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n))
      change[static_cast<std::size_t>(i)] = Eigen::Map<const Vec3>(entries(y, *matrix_, n).data());
  return last_;
}

double norm_over_ranks(const dist::Mesh& mesh, std::span<const Vec3> by_slot) {
  double sum = 0;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i))) sum += by_slot[static_cast<std::size_t>(i)].squaredNorm();
  return std::sqrt(la::sum_over_ranks(mesh.comm(), sum));
}

}  // namespace brisance::sim
