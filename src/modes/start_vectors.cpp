/// Lowest eigenvectors of the Laplacian with SLEPc. The problem is brought to standard form, D L D y = λ y with
/// D = M^(−½) and φ = D y; the constant solution D⁻¹1 is known and deflated.
#include "brisance/modes/start_vectors.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/la/handles.hpp"

#include "modes/p1_laplacian.hpp"
#include "modes/shift_invert.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace brisance::modes {

namespace {

using la::check;

constexpr std::int32_t kLargestFactored = 200'000;  ///< nodes up to which `automatic` factors
constexpr double kTolerance = 1e-12;                ///< residual over eigenvalue

/// D L D; keeps no reference to `laplacian`.
la::Matrix scaled_matrix(const P1Laplacian& laplacian) {
  const PetscInt n = laplacian.num_nodes();
  std::vector<PetscInt> row_lengths(n);
  for (PetscInt i = 0; i < n; ++i) row_lengths[i] = laplacian.row_begin[i + 1] - laplacian.row_begin[i];
  la::Matrix matrix;
  check(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 0, row_lengths.data(), matrix.out()), "MatCreateSeqAIJ");
  for (PetscInt i = 0; i < n; ++i)
    for (std::int32_t k = laplacian.row_begin[i]; k < laplacian.row_begin[i + 1]; ++k) {
      const std::int32_t j = laplacian.column[k];
      const double value = laplacian.value[k] / std::sqrt(laplacian.node_volume[i] * laplacian.node_volume[j]);
      check(MatSetValue(matrix.raw(), i, j, value, INSERT_VALUES), "MatSetValue");
    }
  check(MatAssemblyBegin(matrix.raw(), MAT_FINAL_ASSEMBLY), "MatAssemblyBegin");
  check(MatAssemblyEnd(matrix.raw(), MAT_FINAL_ASSEMBLY), "MatAssemblyEnd");
  check(MatSetOption(matrix.raw(), MAT_SYMMETRIC, PETSC_TRUE), "MatSetOption");
  check(MatSetOption(matrix.raw(), MAT_SPD, PETSC_TRUE), "MatSetOption");
  return matrix;
}

la::Vector vector_of(const std::vector<double>& values) {
  la::Vector vector;
  check(VecCreateSeq(PETSC_COMM_SELF, static_cast<PetscInt>(values.size()), vector.out()), "VecCreateSeq");
  PetscScalar* data = nullptr;
  check(VecGetArrayWrite(vector.raw(), &data), "VecGetArrayWrite");
  std::copy(values.begin(), values.end(), data);
  check(VecRestoreArrayWrite(vector.raw(), &data), "VecRestoreArrayWrite");
  return vector;
}

/// D⁻¹1 = √(node volumes): the constant, in scaled form.
std::vector<double> scaled_constant(const P1Laplacian& laplacian) {
  std::vector<double> constant = laplacian.node_volume;
  for (double& v : constant) v = std::sqrt(v);
  return constant;
}

/// A start that is the same on every machine and has a share of every eigenvector.
std::vector<double> random_start(std::int32_t size) {
  std::vector<double> start(size);
  for (std::int32_t i = 0; i < size; ++i) start[i] = core::hash_uniform(1, static_cast<std::uint64_t>(i), 0) - 0.5;
  return start;
}

/// A shift well below the first eigenvalue of any body of this volume [1/m²]; it only has to make the matrix definite.
double shift(const P1Laplacian& laplacian, int dimension) {
  const double volume = std::accumulate(laplacian.node_volume.begin(), laplacian.node_volume.end(), 0.0);
  return dimension == 2 ? 0.1 / volume : 0.1 / std::cbrt(volume * volume);
}

void use_multigrid(const InnerSolver& inner) {
  check(KSPSetType(inner.solver, KSPCG), "KSPSetType");
  check(KSPSetTolerances(inner.solver, 0.1 * kTolerance, PETSC_DEFAULT, PETSC_DEFAULT, 500), "KSPSetTolerances");
  check(PCSetType(inner.preconditioner, PCGAMG), "PCSetType");
}

/// Solves for `count` eigenvectors besides the constant.
la::EigenSolver solve(const la::Matrix& matrix, const P1Laplacian& laplacian, int count, double shift_value,
                      bool iterative) {
  la::EigenSolver solver;
  EPS& eps = *solver.out();
  check(EPSCreate(PETSC_COMM_SELF, &eps), "EPSCreate");
  check(EPSSetOptionsPrefix(eps, "modes_"), "EPSSetOptionsPrefix");
  check(EPSSetOperators(eps, matrix.raw(), nullptr), "EPSSetOperators");
  check(EPSSetProblemType(eps, EPS_HEP), "EPSSetProblemType");
  check(EPSSetDimensions(eps, count, PETSC_DEFAULT, PETSC_DEFAULT), "EPSSetDimensions");
  check(EPSSetTolerances(eps, kTolerance, 1000), "EPSSetTolerances");
  const InnerSolver inner = set_shift_invert(eps, -shift_value);
  iterative ? use_multigrid(inner) : use_factor(inner);
  const la::Vector constant = vector_of(scaled_constant(laplacian));
  const la::Vector start = vector_of(random_start(laplacian.num_nodes()));
  Vec deflated = constant.raw(), first = start.raw();
  check(EPSSetDeflationSpace(eps, 1, &deflated), "EPSSetDeflationSpace");
  check(EPSSetInitialSpace(eps, 1, &first), "EPSSetInitialSpace");
  check(EPSSetFromOptions(eps), "EPSSetFromOptions");
  check(EPSSolve(eps), "EPSSolve");
  PetscInt converged = 0;
  check(EPSGetConverged(eps, &converged), "EPSGetConverged");
  if (converged < count)
    throw core::Error("Only " + std::to_string(converged) + " of " + std::to_string(count) +
                      " start vectors converged. Ask for fewer modes, or try -modes_eps_max_it 10000.");
  return solver;
}

/// Eigenvector k back on the nodes: φ = D y.
std::vector<double> on_nodes(const la::EigenSolver& solver, const P1Laplacian& laplacian, PetscInt k) {
  la::Vector vector = vector_of(std::vector<double>(laplacian.num_nodes()));
  check(EPSGetEigenvector(solver.raw(), k, vector.raw(), nullptr), "EPSGetEigenvector");
  const PetscScalar* data = nullptr;
  check(VecGetArrayRead(vector.raw(), &data), "VecGetArrayRead");
  std::vector<double> phi(data, data + laplacian.num_nodes());
  check(VecRestoreArrayRead(vector.raw(), &data), "VecRestoreArrayRead");
  for (std::int32_t i = 0; i < laplacian.num_nodes(); ++i) phi[i] /= std::sqrt(laplacian.node_volume[i]);
  return phi;
}

void fix_sign(std::vector<double>& values) {
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  const auto first = std::find_if(values.begin(), values.end(), [&](double v) { return std::abs(v) > largest / 2; });
  if (first != values.end() && *first < 0)
    for (double& v : values) v = -v;
}

std::vector<double> averaged_to_cells(const Simplices& mesh, const std::vector<double>& on_node) {
  std::vector<double> average;
  average.reserve(mesh.num_cells());
  for (std::int32_t c = 0; c < mesh.num_cells(); ++c) {
    double sum = 0;
    for (const std::int32_t corner : mesh.cell(c)) sum += on_node[corner];
    average.push_back(sum / mesh.corners_per_cell);
  }
  return average;
}

}  // namespace

std::vector<std::vector<double>> start_vectors(const mesh::TetMesh& mesh, int count, EigenMethod method) {
  return start_vectors(simplices(mesh), count, method);
}

std::vector<std::vector<double>> start_vectors(const Simplices& mesh, int count, EigenMethod method,
                                               std::span<const SymMat3> conductivity) {
  std::vector<std::vector<double>> vectors = nodal_start_vectors(mesh, count, method, conductivity);
  for (std::vector<double>& v : vectors) v = averaged_to_cells(mesh, v);
  return vectors;
}

std::vector<std::vector<double>> nodal_start_vectors(const Simplices& mesh, int count, EigenMethod method,
                                                     std::span<const SymMat3> conductivity) {
  if (count > static_cast<int>(mesh.nodes.size()))
    throw core::Error("A mesh of " + std::to_string(mesh.nodes.size()) + " nodes has no " + std::to_string(count) +
                      " start vectors. Ask for fewer modes, or use a finer mesh.");
  const P1Laplacian laplacian = p1_laplacian(mesh, conductivity);
  const double volume = std::accumulate(laplacian.node_volume.begin(), laplacian.node_volume.end(), 0.0);
  std::vector<std::vector<double>> vectors{std::vector<double>(mesh.nodes.size(), 1 / std::sqrt(volume))};
  if (count <= 1) return vectors;
  const bool iterative = method == EigenMethod::iterative ||
                         (method == EigenMethod::automatic && laplacian.num_nodes() > kLargestFactored);
  const la::Matrix matrix = scaled_matrix(laplacian);
  const la::EigenSolver solver = solve(matrix, laplacian, count - 1, shift(laplacian, mesh.dimension()), iterative);
  for (int k = 0; k + 1 < count; ++k) {
    vectors.push_back(on_nodes(solver, laplacian, k));
    fix_sign(vectors.back());
  }
  return vectors;
}

}  // namespace brisance::modes
