/// Lowest eigenvectors of the Laplacian with SLEPc. The problem is brought to standard form, D L D y = λ y with
/// D = M^(−½) and φ = D y; the constant solution D⁻¹1 is known and deflated.
#include "brisance/modes/start_vectors.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/la/handles.hpp"
#include "brisance/la/vector_view.hpp"

#include "modes/p1_laplacian.hpp"
#include "modes/shift_invert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace brisance::modes {

namespace {

using la::check;

constexpr std::int32_t kLargestFactored = 200'000;  ///< nodes up to which `automatic` factors on one rank
constexpr double kTolerance = 1e-12;                ///< residual over eigenvalue

/// The nodes of a mesh as unknowns, divided over the ranks.
struct Unknowns {
  core::Comm comm;
  std::vector<std::int32_t> own;  ///< the mesh's numbers of this rank's rows
  std::vector<PetscInt> number;   ///< of the row of each node of the mesh
  std::vector<std::int32_t> id;   ///< of each node, the same on any number of ranks

  [[nodiscard]] std::int64_t count() const { return comm.sum(static_cast<std::int64_t>(own.size())); }
};

/// All nodes of a mesh that one rank has.
Unknowns alone(const Simplices& mesh) {
  std::vector<std::int32_t> all(mesh.nodes.size());
  std::iota(all.begin(), all.end(), 0);
  return {core::Comm(MPI_COMM_SELF), all, {all.begin(), all.end()}, all};
}

/// D L D; keeps no reference to `laplacian`, whose rows are complete for own nodes.
la::Matrix scaled_matrix(const Unknowns& unknowns, const P1Laplacian& laplacian) {
  std::vector<PetscInt> begin{0}, columns;
  std::vector<double> values;
  for (const std::int32_t i : unknowns.own) {
    for (std::int32_t k = laplacian.row_begin[i]; k < laplacian.row_begin[i + 1]; ++k) {
      columns.push_back(unknowns.number[laplacian.column[k]]);
      values.push_back(laplacian.value[k]);
    }
    begin.push_back(static_cast<PetscInt>(columns.size()));
  }
  la::Matrix matrix = la::matrix_from_rows(unknowns.comm, begin, columns, values);
  la::Vector scale;
  check(MatCreateVecs(matrix.raw(), scale.out(), nullptr), "MatCreateVecs");
  {
    const la::WriteView d(scale.raw());
    for (std::size_t k = 0; k < unknowns.own.size(); ++k) d[k] = 1 / std::sqrt(laplacian.node_volume[unknowns.own[k]]);
  }
  check(MatDiagonalScale(matrix.raw(), scale.raw(), scale.raw()), "MatDiagonalScale");
  check(MatSetOption(matrix.raw(), MAT_SYMMETRIC, PETSC_TRUE), "MatSetOption");
  check(MatSetOption(matrix.raw(), MAT_SPD, PETSC_TRUE), "MatSetOption");
  return matrix;
}

/// A vector for the matrix's rows from a value a node of the mesh.
template <class ValueOf>
la::Vector vector_of(const la::Matrix& matrix, const Unknowns& unknowns, const ValueOf& value_of) {
  la::Vector vector;
  check(MatCreateVecs(matrix.raw(), vector.out(), nullptr), "MatCreateVecs");
  const la::WriteView values(vector.raw());
  for (std::size_t k = 0; k < unknowns.own.size(); ++k) values[k] = value_of(unknowns.own[k]);
  return vector;
}

/// A shift well below the first eigenvalue of any body of this volume [1/m²]; it only has to make the matrix definite.
double shift(double volume, int dimension) { return dimension == 2 ? 0.1 / volume : 0.1 / std::cbrt(volume * volume); }

void use_multigrid(const InnerSolver& inner) {
  check(KSPSetType(inner.solver, KSPCG), "KSPSetType");
  check(KSPSetTolerances(inner.solver, 0.1 * kTolerance, PETSC_DEFAULT, PETSC_DEFAULT, 500), "KSPSetTolerances");
  check(PCSetType(inner.preconditioner, PCGAMG), "PCSetType");
}

/// Solves for `count` eigenvectors besides the constant, D⁻¹1 in scaled form. The start is the same on every machine
/// and has a share of every eigenvector.
la::EigenSolver solve(const la::Matrix& matrix, const Unknowns& unknowns, const P1Laplacian& laplacian, int count,
                      double shift_value, bool iterative) {
  la::EigenSolver solver;
  EPS& eps = *solver.out();
  check(EPSCreate(unknowns.comm.raw(), &eps), "EPSCreate");
  check(EPSSetOptionsPrefix(eps, "modes_"), "EPSSetOptionsPrefix");
  check(EPSSetOperators(eps, matrix.raw(), nullptr), "EPSSetOperators");
  check(EPSSetProblemType(eps, EPS_HEP), "EPSSetProblemType");
  check(EPSSetDimensions(eps, count, PETSC_DEFAULT, PETSC_DEFAULT), "EPSSetDimensions");
  check(EPSSetTolerances(eps, kTolerance, 1000), "EPSSetTolerances");
  const InnerSolver inner = set_shift_invert(eps, -shift_value);
  iterative ? use_multigrid(inner) : use_factor(inner);
  const la::Vector constant =
      vector_of(matrix, unknowns, [&](std::int32_t i) { return std::sqrt(laplacian.node_volume[i]); });
  const la::Vector start = vector_of(matrix, unknowns, [&](std::int32_t i) {
    return core::hash_uniform(1, static_cast<std::uint64_t>(unknowns.id[i]), 0) - 0.5;
  });
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

/// The first value, in the order of ids, that is above half of the largest magnitude becomes positive.
void fix_sign(const Unknowns& unknowns, std::vector<double>& values) {
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  largest = unknowns.comm.max(largest);
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  bool is_negative = false;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::int64_t id = unknowns.id[unknowns.own[k]];
    if (std::abs(values[k]) <= largest / 2 || id > first) continue;
    first = id;
    is_negative = values[k] < 0;
  }
  if (unknowns.comm.any(first == unknowns.comm.min(first) && is_negative))
    for (double& v : values) v = -v;
}

/// Values of own nodes.
std::vector<std::vector<double>> lowest_vectors(const Unknowns& unknowns, const Simplices& mesh, int count,
                                                EigenMethod method, std::span<const SymMat3> conductivity) {
  const std::int64_t num_nodes = unknowns.count();
  if (count > num_nodes)
    throw core::Error("A mesh of " + std::to_string(num_nodes) + " nodes has no " + std::to_string(count) +
                      " start vectors. Ask for fewer modes, or use a finer mesh.");
  const P1Laplacian laplacian = p1_laplacian(mesh, conductivity);
  double volume = 0;
  for (const std::int32_t i : unknowns.own) volume += laplacian.node_volume[i];
  check(MPI_Allreduce(MPI_IN_PLACE, &volume, 1, MPI_DOUBLE, MPI_SUM, unknowns.comm.raw()), "MPI_Allreduce");
  std::vector<std::vector<double>> vectors{std::vector<double>(unknowns.own.size(), 1 / std::sqrt(volume))};
  if (count <= 1) return vectors;
  const bool iterative = method == EigenMethod::iterative ||
                         (method == EigenMethod::automatic && num_nodes > kLargestFactored / unknowns.comm.size());
  const la::Matrix matrix = scaled_matrix(unknowns, laplacian);
  const la::EigenSolver solver =
      solve(matrix, unknowns, laplacian, count - 1, shift(volume, mesh.dimension()), iterative);
  la::Vector vector;
  check(MatCreateVecs(matrix.raw(), vector.out(), nullptr), "MatCreateVecs");
  for (PetscInt k = 0; k + 1 < count; ++k) {
    check(EPSGetEigenvector(solver.raw(), k, vector.raw(), nullptr), "EPSGetEigenvector");
    const la::ReadView y(vector.raw());
    std::vector<double> phi(y.values().begin(), y.values().end());
    for (std::size_t i = 0; i < phi.size(); ++i) phi[i] /= std::sqrt(laplacian.node_volume[unknowns.own[i]]);
    fix_sign(unknowns, phi);
    vectors.push_back(std::move(phi));
  }
  return vectors;
}

}  // namespace

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

std::vector<std::vector<double>> start_vectors(const mesh::TetMesh& mesh, int count, EigenMethod method) {
  return start_vectors(simplices(mesh), count, method);
}

std::vector<std::vector<double>> start_vectors(const Simplices& mesh, int count, EigenMethod method,
                                               std::span<const SymMat3> conductivity) {
  std::vector<std::vector<double>> vectors = lowest_vectors(alone(mesh), mesh, count, method, conductivity);
  for (std::vector<double>& v : vectors) v = averaged_to_cells(mesh, v);
  return vectors;
}

std::vector<std::vector<double>> nodal_start_vectors(const DividedBody& body, int count, EigenMethod method,
                                                     std::span<const SymMat3> conductivity) {
  const Unknowns unknowns{body.comm, body.own_nodes, body.node_number, body.node_id};
  std::vector<std::vector<double>> vectors = lowest_vectors(unknowns, body.local.mesh, count, method, conductivity);
  for (std::vector<double>& v : vectors) v = body.nodes.fetch(v);
  return vectors;
}

}  // namespace brisance::modes
