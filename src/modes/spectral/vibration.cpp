/// Lowest eigenvectors of the elastic stiffness with SLEPc, in standard form D K D y = λ y, D = M^(−½), u = D y. The
/// six rigid motions are known and deflated.
#include "brisance/modes/spectral/vibration.hpp"

#include "brisance/core/error.hpp"
#include "brisance/elements/simplex.hpp"
#include "brisance/la/handles.hpp"
#include "brisance/la/sums.hpp"
#include "brisance/la/vector_view.hpp"

#include "modes/spectral/shift_invert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace brisance::modes {

namespace {

using la::check;

constexpr int kRigid = 6;             ///< rigid motions of a free body
constexpr double kTolerance = 1e-10;  ///< residual over eigenvalue

std::array<Vec3, 4> corners_of(const Simplices& mesh, std::int32_t tet) {
  const auto corner = mesh.cell(tet);
  return {mesh.nodes[corner[0]], mesh.nodes[corner[1]], mesh.nodes[corner[2]], mesh.nodes[corner[3]]};
}

/// D on own nodes [1/√kg].
std::vector<double> root_inverse_masses(const DividedBody& body, double density) {
  const Body& local = body.local;
  std::vector<double> mass(local.mesh.nodes.size(), 0.0);
  for (std::int32_t t = 0; t < local.mesh.num_cells(); ++t)
    for (const std::int32_t corner : local.mesh.cell(t)) mass[corner] += density * local.graph.volume[t] / 4;
  std::vector<double> scale = DividedBody::pick(mass, body.own_nodes);
  for (double& m : scale) m = 1 / std::sqrt(m);
  return scale;
}

/// D K D; each rank adds the rows of its own nodes.
la::Matrix scaled_stiffness(const DividedBody& body, const ElasticSolid& solid, const std::vector<double>& scale) {
  const Simplices& mesh = body.local.mesh;
  const std::vector<double> scale_at = body.nodes.fetch(scale);
  std::vector<bool> is_own(mesh.nodes.size(), false);
  for (const std::int32_t i : body.own_nodes) is_own[i] = true;
  const auto num_rows = 3 * static_cast<PetscInt>(body.own_nodes.size());
  la::Matrix matrix;
  check(MatCreate(body.comm.raw(), matrix.out()), "MatCreate");
  check(MatSetSizes(matrix.raw(), num_rows, num_rows, PETSC_DETERMINE, PETSC_DETERMINE), "MatSetSizes");
  check(MatSetBlockSize(matrix.raw(), 3), "MatSetBlockSize");
  check(MatSetType(matrix.raw(), MATAIJ), "MatSetType");
  std::vector<std::int32_t> tets_at(mesh.nodes.size(), 0);
  for (const std::int32_t corner : mesh.corner) ++tets_at[corner];
  const int most = tets_at.empty() ? 0 : *std::max_element(tets_at.begin(), tets_at.end());
  const PetscInt row_length = 3 * (most / 2 + 3);  // inner nodes with T tets have T/2 + 2 neighbours, others more
  check(MatSeqAIJSetPreallocation(matrix.raw(), row_length, nullptr), "MatSeqAIJSetPreallocation");
  check(MatMPIAIJSetPreallocation(matrix.raw(), row_length, nullptr, row_length, nullptr), "MatMPIAIJSetPreallocation");
  check(MatSetOption(matrix.raw(), MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE), "MatSetOption");
  for (std::int32_t t = 0; t < mesh.num_cells(); ++t) {
    const auto tet = mesh.cell(t);
    if (std::none_of(tet.begin(), tet.end(), [&](std::int32_t c) { return is_own[c]; })) continue;
    elements::StiffnessMatrix<3> k =
        elements::elastic_stiffness(elements::tetrahedron(corners_of(mesh, t)), solid.lame_lambda, solid.lame_mu);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) k(i, j) *= scale_at[tet[i / 3]] * scale_at[tet[j / 3]];
    std::array<PetscInt, 4> columns{};
    for (int i = 0; i < 4; ++i) columns[i] = body.node_number[tet[i]];
    for (int i = 0; i < 4; ++i)
      if (is_own[tet[i]])
        check(MatSetValuesBlocked(matrix.raw(), 1, &columns[i], 4, columns.data(), k.data() + 36 * i, ADD_VALUES),
              "MatSetValuesBlocked");
  }
  check(MatAssemblyBegin(matrix.raw(), MAT_FINAL_ASSEMBLY), "MatAssemblyBegin");
  check(MatAssemblyEnd(matrix.raw(), MAT_FINAL_ASSEMBLY), "MatAssemblyEnd");
  check(MatSetOption(matrix.raw(), MAT_SYMMETRIC, PETSC_TRUE), "MatSetOption");
  check(MatSetOption(matrix.raw(), MAT_SPD, PETSC_TRUE), "MatSetOption");
  return matrix;
}

/// The six rigid motions, orthonormal in the lumped mass: translations along the axes, then rotations about the
/// principal axes.
std::vector<std::vector<Vec3>> rigid_motions(const DividedBody& body, const std::vector<double>& scale) {
  const std::vector<Vec3> x = DividedBody::pick(body.local.mesh.nodes, body.own_nodes);
  std::array<double, 4> total{0, 0, 0, static_cast<double>(x.size())};
  for (const Vec3& v : x)
    for (int axis = 0; axis < 3; ++axis) total[axis] += v[axis];
  la::sum_over_ranks(body.comm, total);
  const Vec3 centre = Vec3(total[0], total[1], total[2]) / total[3];
  std::vector<std::vector<Vec3>> motions(kRigid, std::vector<Vec3>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      motions[axis][i] = Vec3::Unit(axis);
      motions[3 + axis][i] = Vec3::Unit(axis).cross(x[i] - centre);
    }
  const auto dot = [&](const std::vector<Vec3>& u, const std::vector<Vec3>& v) {
    double sum = 0;
    for (std::size_t i = 0; i < u.size(); ++i) sum += u[i].dot(v[i]) / (scale[i] * scale[i]);
    return la::sum_over_ranks(body.comm, sum);
  };
  for (int k = 0; k < kRigid; ++k) {
    for (int pass = 0; pass < 2; ++pass)
      for (int j = 0; j < k; ++j) {
        const double share = dot(motions[j], motions[k]);
        for (std::size_t i = 0; i < motions[k].size(); ++i) motions[k][i] -= share * motions[j][i];
      }
    const double norm = std::sqrt(dot(motions[k], motions[k]));
    for (Vec3& v : motions[k]) v /= norm;
  }
  return motions;
}

/// D⁻¹u.
la::Vector scaled_vector(const la::Matrix& matrix, const std::vector<Vec3>& u, const std::vector<double>& scale) {
  la::Vector vector;
  check(MatCreateVecs(matrix.raw(), vector.out(), nullptr), "MatCreateVecs");
  const la::WriteView values(vector.raw());
  for (std::size_t k = 0; k < 3 * u.size(); ++k) values[k] = u[k / 3][static_cast<int>(k % 3)] / scale[k / 3];
  return vector;
}

/// u = D y.
std::vector<Vec3> displacement(const la::Vector& vector, const std::vector<double>& scale) {
  const la::ReadView y(vector.raw());
  std::vector<Vec3> u;
  for (std::size_t i = 0; i < scale.size(); ++i) u.emplace_back(scale[i] * Vec3(y[3 * i], y[3 * i + 1], y[3 * i + 2]));
  return u;
}

void fix_sign(const DividedBody& body, std::vector<Vec3>& u) {
  double largest = 0;
  for (const Vec3& v : u) largest = std::max(largest, v.cwiseAbs().maxCoeff());
  largest = body.comm.max(largest);
  std::int64_t first = std::numeric_limits<std::int64_t>::max();  // component, in the body's numbering of nodes
  bool is_negative = false;
  for (std::size_t i = 0; i < u.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t component = 3 * std::int64_t{body.node_id[body.own_nodes[i]]} + axis;
      if (std::abs(u[i][axis]) <= largest / 2 || component > first) continue;
      first = component;
      is_negative = u[i][axis] < 0;
    }
  if (body.comm.any(first == body.comm.min(first) && is_negative))
    for (Vec3& v : u) v = -v;
}

/// A shift well below the first squared frequency of any compact body [1/s²]; it only has to make the matrix definite.
double shift(const DividedBody& body, const ElasticSolid& solid) {
  double volume = 0;
  for (const std::int32_t t : body.own_cells) volume += body.local.graph.volume[t];
  volume = la::sum_over_ranks(body.comm, volume);
  return 1e-2 * solid.lame_mu / (solid.density * std::cbrt(volume * volume));
}

la::EigenSolver solve(const core::Comm& comm, const la::Matrix& matrix, const std::vector<la::Vector>& rigid,
                      double shift_value, int count) {
  la::EigenSolver solver;
  EPS& eps = *solver.out();
  check(EPSCreate(comm.raw(), &eps), "EPSCreate");
  check(EPSSetOptionsPrefix(eps, "vibration_"), "EPSSetOptionsPrefix");
  check(EPSSetOperators(eps, matrix.raw(), nullptr), "EPSSetOperators");
  check(EPSSetProblemType(eps, EPS_HEP), "EPSSetProblemType");
  check(EPSSetDimensions(eps, count, PETSC_DEFAULT, PETSC_DEFAULT), "EPSSetDimensions");
  check(EPSSetTolerances(eps, kTolerance, 1000), "EPSSetTolerances");
  use_factor(set_shift_invert(eps, -shift_value));
  std::vector<Vec> deflated;
  for (const la::Vector& v : rigid) deflated.push_back(v.raw());
  check(EPSSetDeflationSpace(eps, kRigid, deflated.data()), "EPSSetDeflationSpace");
  check(EPSSetFromOptions(eps), "EPSSetFromOptions");
  set_up(eps);
  check(EPSSolve(eps), "EPSSolve");
  PetscInt converged = 0;
  check(EPSGetConverged(eps, &converged), "EPSGetConverged");
  if (converged < count)
    throw core::Error("Only " + std::to_string(converged) + " of " + std::to_string(count) +
                      " vibration modes converged. Ask for fewer, or try -vibration_eps_max_it 10000.");
  return solver;
}

}  // namespace

std::vector<VibrationMode> vibration_modes(const DividedBody& body, const ElasticSolid& solid, int count) {
  const std::int64_t num_nodes = body.comm.sum(static_cast<std::int64_t>(body.own_nodes.size()));
  if (count > 3 * num_nodes)
    throw core::Error("A mesh of " + std::to_string(num_nodes) + " nodes has no " + std::to_string(count) +
                      " vibration modes. Ask for fewer modes, or use a finer mesh.");
  const std::vector<double> scale = root_inverse_masses(body, solid.density);
  std::vector<VibrationMode> modes;
  for (std::vector<Vec3>& motion : rigid_motions(body, scale)) modes.push_back({0, std::move(motion)});
  if (count <= kRigid) {
    modes.resize(count);
    return modes;
  }
  const la::Matrix matrix = scaled_stiffness(body, solid, scale);
  std::vector<la::Vector> rigid;
  for (const VibrationMode& motion : modes) rigid.push_back(scaled_vector(matrix, motion.displacement, scale));
  const la::EigenSolver solver = solve(body.comm, matrix, rigid, shift(body, solid), count - kRigid);
  la::Vector vector;
  check(MatCreateVecs(matrix.raw(), vector.out(), nullptr), "MatCreateVecs");
  for (int k = 0; k < count - kRigid; ++k) {
    PetscScalar eigenvalue = 0;
    check(EPSGetEigenpair(solver.raw(), k, &eigenvalue, nullptr, vector.raw(), nullptr), "EPSGetEigenpair");
    modes.push_back({std::sqrt(std::max(eigenvalue, 0.0)) / (2 * std::numbers::pi), displacement(vector, scale)});
    fix_sign(body, modes.back().displacement);
  }
  return modes;
}

}  // namespace brisance::modes
