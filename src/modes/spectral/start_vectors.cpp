/// Lowest eigenvectors of the Laplacian with SLEPc. The problem is transformed to standard form, D L D y = λ y with D =
/// M^(−½) and φ = D y; the constant solution D⁻¹1 is known and deflated.
#include "brisance/modes/spectral/start_vectors.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/la/handles.hpp"
#include "brisance/la/sums.hpp"
#include "brisance/la/vector_view.hpp"

#include "modes/spectral/p1_laplacian.hpp"
#include "modes/spectral/shift_invert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <Eigen/Core>

namespace brisance::modes {

namespace {

using la::check;

constexpr std::int32_t kLargestFactored = 200'000;  ///< most nodes that `automatic` factors on one rank
constexpr double kTolerance = 1e-12;                ///< residual over eigenvalue
constexpr double kSameEigenvalue = 1e-7;            ///< relative difference below which two are equal
constexpr double kNoticed = 1e-2;                   ///< least share of a coordinate field in an eigenspace
constexpr int kSpare = 2;  ///< eigenvectors beyond those wanted, to complete the last eigenspace
                           ///< (three-dimensional for cubes)

/// The nodes of a mesh as unknowns, distributed over the ranks.
struct Unknowns {
  core::Comm comm;
  std::vector<std::int32_t> own;  ///< the mesh's numbers of this rank's rows
  std::vector<PetscInt> number;   ///< row number of each node of the mesh
  std::vector<std::int32_t> id;   ///< id of each node, the same on any number of ranks

  [[nodiscard]] std::int64_t count() const { return comm.sum(static_cast<std::int64_t>(own.size())); }
};

/// All nodes of a mesh held by one rank.
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

/// A vector with the matrix's rows from a value for each node of the mesh.
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

/// Solves for `count` eigenvectors besides the constant, D⁻¹1 in scaled form, and for the spare ones as far as they
/// converge. The start vector is the same on every machine and has a component along every eigenvector.
la::EigenSolver solve(const la::Matrix& matrix, const Unknowns& unknowns, const P1Laplacian& laplacian, int count,
                      double shift_value, bool iterative) {
  la::EigenSolver solver;
  EPS& eps = *solver.out();
  check(EPSCreate(unknowns.comm.raw(), &eps), "EPSCreate");
  check(EPSSetOptionsPrefix(eps, "modes_"), "EPSSetOptionsPrefix");
  check(EPSSetOperators(eps, matrix.raw(), nullptr), "EPSSetOperators");
  check(EPSSetProblemType(eps, EPS_HEP), "EPSSetProblemType");
  const auto most = static_cast<int>(unknowns.count()) - 1;
  check(EPSSetDimensions(eps, std::min(count + kSpare, most), PETSC_DEFAULT, PETSC_DEFAULT), "EPSSetDimensions");
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
  set_up(eps);
  check(EPSSolve(eps), "EPSSolve");
  PetscInt converged = 0;
  check(EPSGetConverged(eps, &converged), "EPSGetConverged");
  if (converged < count)
    throw core::Error("Only " + std::to_string(converged) + " of " + std::to_string(count) +
                      " start vectors converged. Ask for fewer modes, or try -modes_eps_max_it 10000.");
  return solver;
}

/// Makes the first value, in the order of ids, that is above half of the largest magnitude positive.
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

/// A field on own nodes, and its eigenvalue.
struct Eigenvector {
  double eigenvalue = 0;
  std::vector<double> values;
};

/// Chooses a basis of an eigenspace that does not depend on the solver's rounding: projections of fixed fields, first
/// the coordinates, since these start cuts across the axes, then noise.
class EigenspaceBasis {
public:
  EigenspaceBasis(const Unknowns& unknowns, const Simplices& mesh, const P1Laplacian& laplacian);

  void choose(std::span<Eigenvector> space) const;

private:
  [[nodiscard]] double dot(const std::vector<double>& x, const std::vector<double>& y) const;
  [[nodiscard]] std::vector<double> field(int number) const;

  const Unknowns& unknowns_;
  std::vector<double> node_volume_;               ///< for own nodes
  std::vector<std::vector<double>> coordinates_;  ///< without their means
};

EigenspaceBasis::EigenspaceBasis(const Unknowns& unknowns, const Simplices& mesh, const P1Laplacian& laplacian)
    : unknowns_(unknowns), node_volume_(DividedBody::pick(laplacian.node_volume, unknowns.own)) {
  const std::vector<double> ones(unknowns.own.size(), 1.0);
  const double volume = dot(ones, ones);
  for (int axis = 0; axis < mesh.dimension(); ++axis) {
    std::vector<double> x;
    for (const std::int32_t i : unknowns.own) x.push_back(mesh.nodes[i][axis]);
    const double mean = dot(ones, x) / volume;
    for (double& v : x) v -= mean;
    coordinates_.push_back(std::move(x));
  }
}

double EigenspaceBasis::dot(const std::vector<double>& x, const std::vector<double>& y) const {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += node_volume_[k] * x[k] * y[k];
  return la::sum_over_ranks(unknowns_.comm, sum);
}

std::vector<double> EigenspaceBasis::field(int number) const {
  const auto num_coordinates = static_cast<int>(coordinates_.size());
  if (number < num_coordinates) return coordinates_[number];
  std::vector<double> noise;
  for (const std::int32_t i : unknowns_.own)
    noise.push_back(core::hash_uniform(2 + number, static_cast<std::uint64_t>(unknowns_.id[i]), 0) - 0.5);
  return noise;
}

/// Coefficients in the given basis: orthonormal columns, each a field's projection orthogonalised against those before.
void EigenspaceBasis::choose(std::span<Eigenvector> space) const {
  const auto size = static_cast<Eigen::Index>(space.size());
  if (size == 1) return;
  Eigen::MatrixXd basis(size, 0);
  for (int number = 0; basis.cols() < size; ++number) {
    const std::vector<double> wanted = field(number);
    Eigen::VectorXd share(size);
    for (Eigen::Index k = 0; k < size; ++k) share[k] = dot(space[k].values, wanted);
    for (int pass = 0; pass < 2; ++pass) share -= basis * (basis.transpose() * share);
    const bool is_noise = number >= static_cast<int>(coordinates_.size());
    if (!is_noise && share.norm() < kNoticed * std::sqrt(dot(wanted, wanted))) continue;
    basis.conservativeResize(size, basis.cols() + 1);
    basis.rightCols(1) = share.normalized();
  }
  std::vector<std::vector<double>> chosen;
  for (Eigen::Index j = 0; j < size; ++j) {
    std::vector<double> values(node_volume_.size(), 0.0);
    for (Eigen::Index k = 0; k < size; ++k)
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += basis(k, j) * space[k].values[i];
    chosen.push_back(std::move(values));
  }
  for (Eigen::Index j = 0; j < size; ++j) space[j].values = std::move(chosen[j]);
}

void choose_bases(const EigenspaceBasis& basis, std::span<Eigenvector> vectors) {
  for (std::size_t first = 0, end = 0; first < vectors.size(); first = end) {
    const double limit = vectors[first].eigenvalue * (1 + kSameEigenvalue);
    for (end = first + 1; end < vectors.size() && vectors[end].eigenvalue <= limit;) ++end;
    basis.choose(vectors.subspan(first, end - first));
  }
}

std::vector<Eigenvector> eigenvectors(const la::EigenSolver& solver, const la::Matrix& matrix, const Unknowns& unknowns,
                                      const P1Laplacian& laplacian, std::size_t most) {
  la::Vector vector;
  check(MatCreateVecs(matrix.raw(), vector.out(), nullptr), "MatCreateVecs");
  PetscInt count = 0;
  check(EPSGetConverged(solver.raw(), &count), "EPSGetConverged");
  std::vector<Eigenvector> found(std::min<std::size_t>(count, most));
  for (PetscInt k = 0; k < static_cast<PetscInt>(found.size()); ++k) {
    check(EPSGetEigenpair(solver.raw(), k, &found[k].eigenvalue, nullptr, vector.raw(), nullptr), "EPSGetEigenpair");
    const la::ReadView y(vector.raw());
    found[k].values.assign(y.values().begin(), y.values().end());
    for (std::size_t i = 0; i < unknowns.own.size(); ++i)
      found[k].values[i] /= std::sqrt(laplacian.node_volume[unknowns.own[i]]);
  }
  return found;
}

/// Returns values of own nodes.
std::vector<std::vector<double>> lowest_vectors(const Unknowns& unknowns, const Simplices& mesh, int count,
                                                EigenMethod method, std::span<const SymMat3> conductivity) {
  const std::int64_t num_nodes = unknowns.count();
  if (count > num_nodes)
    throw core::Error("A mesh of " + std::to_string(num_nodes) + " nodes has no " + std::to_string(count) +
                      " start vectors. Ask for fewer modes, or use a finer mesh.");
  const P1Laplacian laplacian = p1_laplacian(mesh, conductivity);
  double volume = 0;
  for (const std::int32_t i : unknowns.own) volume += laplacian.node_volume[i];
  volume = la::sum_over_ranks(unknowns.comm, volume);
  std::vector<std::vector<double>> vectors{std::vector<double>(unknowns.own.size(), 1 / std::sqrt(volume))};
  if (count <= 1) return vectors;
  const bool iterative = method == EigenMethod::iterative ||
                         (method == EigenMethod::automatic && num_nodes > kLargestFactored / unknowns.comm.size());
  const la::Matrix matrix = scaled_matrix(unknowns, laplacian);
  const int wanted = count - 1;
  const la::EigenSolver solver = solve(matrix, unknowns, laplacian, wanted, shift(volume, mesh.dimension()), iterative);
  std::vector<Eigenvector> found = eigenvectors(solver, matrix, unknowns, laplacian, wanted + kSpare);
  choose_bases(EigenspaceBasis(unknowns, mesh, laplacian), found);
  for (int k = 0; k < wanted; ++k) {
    fix_sign(unknowns, found[k].values);
    vectors.push_back(std::move(found[k].values));
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
