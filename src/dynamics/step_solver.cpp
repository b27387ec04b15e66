#include "brisance/dynamics/step_solver.hpp"

#include "brisance/la/vector_view.hpp"

#include <algorithm>
#include <cstring>

namespace brisance::dynamics {

namespace {

using la::check;

constexpr int kMostIterations = 2000;
constexpr int kSlow = 150;           ///< iterations with ILU(0) beyond which multigrid pays
constexpr int kOldest = 64;          ///< solves with one multigrid set-up
constexpr double kMostGrowth = 1.5;  ///< of multigrid's iterations since its set-up, beyond which it is set up again
constexpr int kAlwaysAllowed = 8;    ///< additional iterations that never cause a set-up

constexpr const char* kPrefix = "dyn_";

PC preconditioner_of(const la::LinearSolver& solver) {
  PC pc = nullptr;
  check(KSPGetPC(solver.raw(), &pc), "KSPGetPC");
  return pc;
}

std::string type_of(const la::LinearSolver& solver) {
  PCType type = nullptr;
  check(PCGetType(preconditioner_of(solver), &type), "PCGetType");
  return type == nullptr ? "none" : type;
}

bool was_given(const char* name) {
  PetscBool given = PETSC_FALSE;
  check(PetscOptionsHasName(nullptr, kPrefix, name, &given), "PetscOptionsHasName");
  return given == PETSC_TRUE;
}

/// Preconditioners that work on 3×3 blocks.
bool takes_blocks(const std::string& type) {
  for (const char* known : {PCBJACOBI, PCJACOBI, PCPBJACOBI, PCNONE, PCILU, PCASM})
    if (type == known) return true;
  return false;
}

/// A matrix, and the couplings that are added to its products.
struct CoupledSystem {
  const dist::Mesh& mesh;
  const StepMatrix& matrix;
  std::span<const Couplings> couplings;
  std::vector<Vec3> x, y;  ///< by node slot

  void add_product(Vec from, Vec to) {
    const la::ReadView in(from);
    const la::WriteView out(to);
    for (const std::int32_t slot : matrix.owned_slots()) {
      const auto s = static_cast<std::size_t>(slot);
      x[s] = Eigen::Map<const Vec3>(in.values().subspan(matrix.row(LocalNode(slot)), 3).data());
      y[s].setZero();
    }
    for (const Couplings& more : couplings) more.add_product(mesh.comm(), Couplings::Part::off_diagonal, x, y);
    for (const std::int32_t slot : matrix.owned_slots())
      Eigen::Map<Vec3>(&out[matrix.row(LocalNode(slot))]) += y[static_cast<std::size_t>(slot)];
  }
};

PetscErrorCode multiply_coupled(Mat shell, Vec from, Vec to) {
  CoupledSystem* system = nullptr;
  PetscCall(MatShellGetContext(shell, static_cast<void*>(&system)));
  PetscCall(MatMult(system->matrix.raw(), from, to));
  system->add_product(from, to);
  return 0;
}

la::Matrix shell_of(CoupledSystem& system) {
  PetscInt rows = 0, columns = 0;
  check(MatGetLocalSize(system.matrix.raw(), &rows, &columns), "MatGetLocalSize");
  la::Matrix shell;
  check(MatCreateShell(system.mesh.comm().raw(), rows, columns, PETSC_DETERMINE, PETSC_DETERMINE, &system, shell.out()),
        "MatCreateShell");
  // PETSc keeps all operations as functions of no arguments.
  check(MatShellSetOperation(shell.raw(), MATOP_MULT, reinterpret_cast<void (*)()>(multiply_coupled)),
        "MatShellSetOperation");
  check(MatSetOption(shell.raw(), MAT_SYMMETRIC, PETSC_TRUE), "MatSetOption");
  return shell;
}

/// Present positions of owned nodes in the matrix's order.
la::Vector positions(const dist::Mesh& mesh, const StepMatrix& matrix) {
  la::Vector x = matrix.vector();
  check(VecSetBlockSize(x.raw(), 3), "VecSetBlockSize");
  const la::WriteView values(x.raw());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    for (std::size_t k = 0; k < 3; ++k) values[matrix.row(n) + k] = mesh.motion[n].position[k];
  }
  return x;
}

}  // namespace

StepSolver::StepSolver(const dist::Mesh& mesh, const StepMatrix& matrix, double tolerance, bool stiff)
    : multigrid_(stiff) {
  check(KSPCreate(mesh.comm().raw(), solver_.out()), "KSPCreate");
  check(KSPSetOptionsPrefix(solver_.raw(), kPrefix), "KSPSetOptionsPrefix");
  check(KSPSetType(solver_.raw(), KSPCG), "KSPSetType");
  check(KSPSetNormType(solver_.raw(), KSP_NORM_UNPRECONDITIONED), "KSPSetNormType");
  check(KSPSetInitialGuessNonzero(solver_.raw(), PETSC_TRUE), "KSPSetInitialGuessNonzero");
  check(KSPSetTolerances(solver_.raw(), tolerance, PETSC_DEFAULT, PETSC_DEFAULT, kMostIterations), "KSPSetTolerances");
  check(KSPSetOperators(solver_.raw(), matrix.raw(), matrix.raw()), "KSPSetOperators");
  chosen_by_user_ = was_given("-pc_type");
  choose_preconditioner();
}

void StepSolver::choose_preconditioner() {
  PC pc = preconditioner_of(solver_);
  if (multigrid_ && !chosen_by_user_) {
    check(PCSetType(pc, PCGAMG), "PCSetType");
    check(PCGAMGSetAggressiveLevels(pc, 2), "PCGAMGSetAggressiveLevels");
    PetscReal threshold = 0;
    check(PCGAMGSetThreshold(pc, &threshold, 1), "PCGAMGSetThreshold");
    check(PCGAMGSetReuseInterpolation(pc, PETSC_TRUE), "PCGAMGSetReuseInterpolation");
  } else {
    check(PCSetType(pc, PCBJACOBI), "PCSetType");
  }
  check(KSPSetFromOptions(solver_.raw()), "KSPSetFromOptions");
  wants_scalar_ = !takes_blocks(type_of(solver_));
  age_ = -1;
}

void StepSolver::start_afresh() {
  check(PCReset(preconditioner_of(solver_)), "PCReset");
  age_ = -1;
}

bool StepSolver::needs_renewal() const {
  if (age_ < 0 || !wants_scalar_) return true;
  return age_ >= kOldest || last_iterations_ > std::max(fresh_iterations_ + kAlwaysAllowed,
                                                        static_cast<int>(kMostGrowth * fresh_iterations_));
}

void StepSolver::renew_preconditioner(const dist::Mesh& mesh, const StepMatrix& matrix) {
  if (wants_scalar_) {
    la::Matrix converted;
    check(MatConvert(matrix.raw(), MATAIJ, MAT_INITIAL_MATRIX, converted.out()), "MatConvert");
    if (scalar_.raw() == nullptr) {
      scalar_ = std::move(converted);
      check(MatSetBlockSize(scalar_.raw(), 3), "MatSetBlockSize");
    } else {
      check(MatCopy(converted.raw(), scalar_.raw(), SAME_NONZERO_PATTERN), "MatCopy");
    }
    la::NullSpace rigid;
    const la::Vector x = positions(mesh, matrix);
    check(MatNullSpaceCreateRigidBody(x.raw(), rigid.out()), "MatNullSpaceCreateRigidBody");
    check(MatSetNearNullSpace(scalar_.raw(), rigid.raw()), "MatSetNearNullSpace");
    rigid_ = std::move(rigid);
  }
  check(KSPSetReusePreconditioner(solver_.raw(), PETSC_FALSE), "KSPSetReusePreconditioner");
  preconditioned_ = wants_scalar_ ? scalar_.raw() : matrix.raw();
  set_operators();
  age_ = 0;
}

void StepSolver::set_operators() { check(KSPSetOperators(solver_.raw(), system_, preconditioned_), "KSPSetOperators"); }

SolveReport StepSolver::try_to_solve(const la::Vector& right, const Target& target, la::Vector& unknown) {
  SolveReport report;
  report.preconditioner = type_of(solver_);
  report.preconditioner_age = age_;
  PetscReal norm = 0;
  check(VecNorm(right.raw(), NORM_2, &norm), "VecNorm");
  if (!(norm > target.floor)) {  // solved already; or the norm is NaN, which no solver can change
    report.converged = norm <= target.floor;
    report.reason = report.converged ? "nothing to solve" : "right-hand side not finite";
    check(VecZeroEntries(unknown.raw()), "VecZeroEntries");
    return report;
  }
  // A guess worse than zero would only cost iterations.
  la::Vector residual = la::like(right);
  check(MatMult(system_, unknown.raw(), residual.raw()), "MatMult");
  check(VecAYPX(residual.raw(), -1, right.raw()), "VecAYPX");
  PetscReal guessed = 0;
  check(VecNorm(residual.raw(), NORM_2, &guessed), "VecNorm");
  if (!(guessed < norm)) check(VecZeroEntries(unknown.raw()), "VecZeroEntries");

  check(KSPSetTolerances(solver_.raw(), PETSC_DEFAULT, target.floor, PETSC_DEFAULT, PETSC_DEFAULT), "KSPSetTolerances");
  check(KSPSolve(solver_.raw(), right.raw(), unknown.raw()), "KSPSolve");
  PetscInt iterations = 0;
  PetscReal left = 0;
  KSPConvergedReason reason{};
  const char* words = nullptr;
  check(KSPGetIterationNumber(solver_.raw(), &iterations), "KSPGetIterationNumber");
  check(KSPGetResidualNorm(solver_.raw(), &left), "KSPGetResidualNorm");
  check(KSPGetConvergedReason(solver_.raw(), &reason), "KSPGetConvergedReason");
  check(KSPGetConvergedReasonString(solver_.raw(), &words), "KSPGetConvergedReasonString");
  report.iterations = static_cast<int>(iterations);
  report.residual = left / norm;
  report.converged = reason > 0 || (reason == KSP_DIVERGED_ITS && report.residual <= target.when_slow);
  report.reason = words;
  return report;
}

SolveReport StepSolver::solve(const dist::Mesh& mesh, const StepMatrix& matrix, const la::Vector& right,
                              const Target& target, la::Vector& unknown, std::span<const Couplings> couplings) {
  const auto slots = static_cast<std::size_t>(couplings.empty() ? 0 : mesh.num_node_slots());
  CoupledSystem coupled{mesh, matrix, couplings, std::vector<Vec3>(slots), std::vector<Vec3>(slots)};
  const la::Matrix shell = couplings.empty() ? la::Matrix() : shell_of(coupled);
  system_ = couplings.empty() ? matrix.raw() : shell.raw();
  if (needs_renewal()) {
    renew_preconditioner(mesh, matrix);
  } else {
    check(KSPSetReusePreconditioner(solver_.raw(), PETSC_TRUE), "KSPSetReusePreconditioner");
    set_operators();
  }
  SolveReport report = try_to_solve(right, target, unknown);
  const auto try_again = [&] {
    check(VecZeroEntries(unknown.raw()), "VecZeroEntries");
    renew_preconditioner(mesh, matrix);
    const int spent = report.iterations;
    report = try_to_solve(right, target, unknown);
    report.iterations += spent;
  };
  if (!report.converged && wants_scalar_ && age_ > 0) {  // the cause may be the old preconditioner
    start_afresh();
    try_again();
  }
  const bool is_slow = !multigrid_ && report.iterations > kSlow;
  if (!chosen_by_user_ && (!report.converged || is_slow)) {
    multigrid_ = !multigrid_;
    choose_preconditioner();
    if (!report.converged) try_again();
  }
  if (age_ == 0) fresh_iterations_ = report.iterations;
  last_iterations_ = report.iterations;
  if (age_ >= 0) ++age_;
  return report;
}

std::vector<std::string> unknown_step_options() {
  PetscInt count = 0;
  char **names = nullptr, **values = nullptr;
  check(PetscOptionsLeftGet(nullptr, &count, &names, &values), "PetscOptionsLeftGet");
  std::vector<std::string> unknown;
  for (PetscInt i = 0; i < count; ++i)
    if (std::strncmp(names[i], kPrefix, std::strlen(kPrefix)) == 0) unknown.push_back(std::string("-") + names[i]);
  check(PetscOptionsLeftRestore(nullptr, &count, &names, &values), "PetscOptionsLeftRestore");
  return unknown;
}

}  // namespace brisance::dynamics
