#include "modes/general/normal_solver.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/signals.hpp"

#include <algorithm>
#include <vector>

#include <spdlog/fmt/fmt.h>

namespace brisance::modes {

namespace {

using la::check;

constexpr double kRegular = 1e-10;  ///< added to the diagonal, relative: far below all eigenvalues but the null space's
constexpr double kTight = 1e-9, kLoose = 1e-2;
constexpr double kSmallest = 1e-12;  ///< residual over right side at which no solve is needed
constexpr int kMostIterations = 2000;
constexpr PetscInt kLargestFactored = 500'000;  ///< largest number of unknowns

/// Rigid fields, orthonormal in the Euclidean norm.
la::NullSpace null_space(const JumpProblem& problem) {
  std::vector<la::Vector> basis;
  std::vector<Vec> raw;
  for (std::size_t k = 0; k < problem.rigid.size(); ++k) {
    basis.push_back(la::copy_of(problem.rigid[k]));
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t j = 0; j < k; ++j) {
        PetscScalar share = 0;
        check(VecDot(basis[k].raw(), basis[j].raw(), &share), "VecDot");
        check(VecAXPY(basis[k].raw(), -share, basis[j].raw()), "VecAXPY");
      }
    check(VecNormalize(basis[k].raw(), nullptr), "VecNormalize");
    raw.push_back(basis[k].raw());
  }
  la::NullSpace space;
  check(MatNullSpaceCreate(problem.comm.raw(), PETSC_FALSE, static_cast<PetscInt>(raw.size()), raw.data(), space.out()),
        "MatNullSpaceCreate");
  return space;
}

la::Matrix copy_of(const la::Matrix& matrix) {
  la::Matrix copy;
  check(MatDuplicate(matrix.raw(), MAT_COPY_VALUES, copy.out()), "MatDuplicate");
  return copy;
}

void enlarge_diagonal(la::Matrix& matrix) {
  la::Vector diagonal;
  check(MatCreateVecs(matrix.raw(), diagonal.out(), nullptr), "MatCreateVecs");
  check(MatGetDiagonal(matrix.raw(), diagonal.raw()), "MatGetDiagonal");
  check(VecScale(diagonal.raw(), 1 + kRegular), "VecScale");
  check(MatSetOption(matrix.raw(), MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE), "MatSetOption");  // isolated cells
  check(MatDiagonalSet(matrix.raw(), diagonal.raw(), INSERT_VALUES), "MatDiagonalSet");
}

/// Where cells deform, stiff cells and soft jumps (or the reverse) make multigrid slow: 7 to 30 times slower than a
/// factor at 4000 unknowns. A factor is preferred as long as it fits.
void use_preconditioner(const JumpProblem& problem, PC preconditioner) {
  PetscInt size = 0;
  check(VecGetSize(problem.mass.raw(), &size), "VecGetSize");
  if (problem.field == CellField::corners && size <= kLargestFactored) {
    check(PCSetType(preconditioner, PCCHOLESKY), "PCSetType");
    check(PCFactorSetMatSolverType(preconditioner, MATSOLVERMUMPS), "PCFactorSetMatSolverType");
  } else {
    check(PCSetType(preconditioner, PCGAMG), "PCSetType");
  }
}

}  // namespace

NormalSolver::NormalSolver(const JumpProblem& problem) : problem_(problem), rigid_(null_space(problem)) {
  check(MatTransposeMatMult(problem.jumps.raw(), problem.jumps.raw(), MAT_INITIAL_MATRIX, PETSC_DEFAULT,
                            jump_product_.out()),
        "MatTransposeMatMult");
  set_penalty(1);
}

void NormalSolver::set_penalty(double penalty) {
  if (matrix_.raw() != nullptr && problem_.strain.raw() == nullptr) return;
  matrix_ = copy_of(jump_product_);
  const int block = problem_.field == CellField::scalar ? 1 : problem_.dimension;
  if (problem_.strain.raw() != nullptr)
    check(MatAXPY(matrix_.raw(), 1 / penalty, problem_.strain.raw(), DIFFERENT_NONZERO_PATTERN), "MatAXPY");
  check(MatSetBlockSize(matrix_.raw(), block), "MatSetBlockSize");
  regular_ = copy_of(matrix_);
  enlarge_diagonal(regular_);
  for (const la::Matrix* m : {&matrix_, &regular_}) {
    check(MatSetOption(m->raw(), MAT_SYMMETRIC, PETSC_TRUE), "MatSetOption");
    check(MatSetOption(m->raw(), MAT_SPD, PETSC_TRUE), "MatSetOption");
  }
  check(MatSetNullSpace(matrix_.raw(), rigid_.raw()), "MatSetNullSpace");
  check(MatSetNearNullSpace(regular_.raw(), rigid_.raw()), "MatSetNearNullSpace");

  solver_ = {};
  check(KSPCreate(problem_.comm.raw(), solver_.out()), "KSPCreate");
  check(KSPSetOptionsPrefix(solver_.raw(), "general_"), "KSPSetOptionsPrefix");
  check(KSPSetOperators(solver_.raw(), matrix_.raw(), regular_.raw()), "KSPSetOperators");
  check(KSPSetType(solver_.raw(), KSPCG), "KSPSetType");
  PC preconditioner = nullptr;
  check(KSPGetPC(solver_.raw(), &preconditioner), "KSPGetPC");
  use_preconditioner(problem_, preconditioner);
  check(KSPSetFromOptions(solver_.raw()), "KSPSetFromOptions");
  check(KSPConvergedDefaultSetUIRNorm(solver_.raw()), "KSPConvergedDefaultSetUIRNorm");
  const core::SigtermGuard guard;  // MUMPS may order by METIS
  check(KSPSetUp(solver_.raw()), "KSPSetUp");
}

void NormalSolver::run(const la::Vector& b, la::Vector& x, double tolerance, bool from_x) {
  check(KSPSetInitialGuessNonzero(solver_.raw(), from_x ? PETSC_TRUE : PETSC_FALSE), "KSPSetInitialGuessNonzero");
  PetscReal size = 0;
  check(VecNorm(b.raw(), NORM_2, &size), "VecNorm");
  check(KSPSetTolerances(solver_.raw(), tolerance, kSmallest * size, PETSC_DEFAULT, kMostIterations),
        "KSPSetTolerances");
  check(KSPSolve(solver_.raw(), b.raw(), x.raw()), "KSPSolve");
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  check(KSPGetConvergedReason(solver_.raw(), &reason), "KSPGetConvergedReason");
  if (reason < 0)
    throw core::Error(
        fmt::format("The linear solver of the general problem failed ({}). Small problems can be factored "
                    "instead: -general_pc_type cholesky -general_pc_factor_mat_solver_type mumps.",
                    KSPConvergedReasons[reason]));
}

void NormalSolver::solve(const la::Vector& b, la::Vector& x) { run(b, x, kTight, false); }

void NormalSolver::solve_to(double tolerance, const la::Vector& b, la::Vector& x) {
  run(b, x, std::max(tolerance, kTight), false);
}

void NormalSolver::improve(const la::Vector& b, la::Vector& x) {
  if (!is_factored()) return run(b, x, kLoose, true);
  PC factor = nullptr;
  check(KSPGetPC(solver_.raw(), &factor), "KSPGetPC");
  check(PCApply(factor, b.raw(), x.raw()), "PCApply");
  check(MatNullSpaceRemove(rigid_.raw(), x.raw()), "MatNullSpaceRemove");
}

bool NormalSolver::is_factored() const {
  PC preconditioner = nullptr;
  PetscBool factored = PETSC_FALSE;
  check(KSPGetPC(solver_.raw(), &preconditioner), "KSPGetPC");
  check(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(preconditioner), &factored, PCCHOLESKY, PCLU, ""),
        "PetscObjectTypeCompareAny");
  return factored == PETSC_TRUE;
}

}  // namespace brisance::modes
