/// Lowest eigenvectors of the elastic stiffness with SLEPc, in standard form D K D y = λ y, D = M^(−½), u = D y. The
/// six rigid motions are known and deflated.
#include "brisance/modes/vibration.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/la/handles.hpp"

#include "modes/p1_elasticity.hpp"
#include "modes/shift_invert.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace brisance::modes {

namespace {

using la::check;

constexpr int kRigid = 6;             ///< motions of a free body
constexpr double kTolerance = 1e-10;  ///< residual over eigenvalue

/// D on the nodes [1/√kg].
std::vector<double> root_inverse_masses(const mesh::TetMesh& mesh, double density) {
  std::vector<double> mass(mesh.nodes.size(), 0.0);
  for (const auto& [a, b, c, d] : mesh.tets) {
    const double quarter = density * mesh::tet_volume(mesh.nodes[a], mesh.nodes[b], mesh.nodes[c], mesh.nodes[d]) / 4;
    for (const std::int32_t corner : {a, b, c, d}) mass[corner] += quarter;
  }
  for (double& m : mass) m = 1 / std::sqrt(m);
  return mass;
}

/// D K D; each rank adds the rows of its own nodes, [first, last).
la::Matrix scaled_stiffness(const core::Comm& comm, const mesh::TetMesh& mesh, const ElasticSolid& solid,
                            const std::vector<double>& scale) {
  const auto n = static_cast<PetscInt>(mesh.nodes.size());
  la::Matrix matrix;
  check(MatCreate(comm.raw(), matrix.out()), "MatCreate");
  check(MatSetSizes(matrix.raw(), PETSC_DECIDE, PETSC_DECIDE, 3 * n, 3 * n), "MatSetSizes");
  check(MatSetBlockSize(matrix.raw(), 3), "MatSetBlockSize");
  check(MatSetType(matrix.raw(), MATAIJ), "MatSetType");
  std::vector<std::int32_t> tets_at(n, 0);
  for (const auto& tet : mesh.tets)
    for (const std::int32_t corner : tet) ++tets_at[corner];
  const int most = *std::max_element(tets_at.begin(), tets_at.end());
  const PetscInt row_length = 3 * (most / 2 + 3);  // a closed star of T tets has T/2 + 2 neighbours, an open one more
  check(MatSeqAIJSetPreallocation(matrix.raw(), row_length, nullptr), "MatSeqAIJSetPreallocation");
  check(MatMPIAIJSetPreallocation(matrix.raw(), row_length, nullptr, row_length, nullptr), "MatMPIAIJSetPreallocation");
  check(MatSetOption(matrix.raw(), MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE), "MatSetOption");
  PetscInt first = 0, last = 0;
  check(MatGetOwnershipRange(matrix.raw(), &first, &last), "MatGetOwnershipRange");
  for (const auto& tet : mesh.tets) {
    if (std::none_of(tet.begin(), tet.end(), [&](std::int32_t c) { return 3 * c >= first && 3 * c < last; })) continue;
    Matrix12 k = elastic_stiffness({mesh.nodes[tet[0]], mesh.nodes[tet[1]], mesh.nodes[tet[2]], mesh.nodes[tet[3]]},
                                   solid.lame_lambda, solid.lame_mu);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) k(i, j) *= scale[tet[i / 3]] * scale[tet[j / 3]];
    for (int i = 0; i < 4; ++i) {
      const PetscInt row = tet[i];
      if (3 * row < first || 3 * row >= last) continue;
      const std::array<PetscInt, 4> columns{tet[0], tet[1], tet[2], tet[3]};
      check(MatSetValuesBlocked(matrix.raw(), 1, &row, 4, columns.data(), k.data() + 36 * i, ADD_VALUES),
            "MatSetValuesBlocked");
    }
  }
  check(MatAssemblyBegin(matrix.raw(), MAT_FINAL_ASSEMBLY), "MatAssemblyBegin");
  check(MatAssemblyEnd(matrix.raw(), MAT_FINAL_ASSEMBLY), "MatAssemblyEnd");
  check(MatSetOption(matrix.raw(), MAT_SYMMETRIC, PETSC_TRUE), "MatSetOption");
  check(MatSetOption(matrix.raw(), MAT_SPD, PETSC_TRUE), "MatSetOption");
  return matrix;
}

/// The six rigid motions, orthonormal in the lumped mass: along the axes, then turns about the principal axes.
std::vector<std::vector<Vec3>> rigid_motions(const mesh::TetMesh& mesh, const std::vector<double>& scale) {
  std::vector<std::vector<Vec3>> motions(kRigid, std::vector<Vec3>(mesh.nodes.size()));
  Vec3 centre = Vec3::Zero();
  for (const Vec3& x : mesh.nodes) centre += x / static_cast<double>(mesh.nodes.size());
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      motions[axis][i] = Vec3::Unit(axis);
      motions[3 + axis][i] = Vec3::Unit(axis).cross(mesh.nodes[i] - centre);
    }
  const auto dot = [&](const std::vector<Vec3>& u, const std::vector<Vec3>& v) {
    double sum = 0;
    for (std::size_t i = 0; i < u.size(); ++i) sum += u[i].dot(v[i]) / (scale[i] * scale[i]);
    return sum;
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

/// This rank's share of D⁻¹u.
la::Vector scaled_vector(const la::Matrix& matrix, const std::vector<Vec3>& u, const std::vector<double>& scale) {
  la::Vector vector;
  check(MatCreateVecs(matrix.raw(), vector.out(), nullptr), "MatCreateVecs");
  PetscInt first = 0, last = 0;
  check(VecGetOwnershipRange(vector.raw(), &first, &last), "VecGetOwnershipRange");
  PetscScalar* data = nullptr;
  check(VecGetArrayWrite(vector.raw(), &data), "VecGetArrayWrite");
  for (PetscInt k = first; k < last; ++k) data[k - first] = u[k / 3][k % 3] / scale[k / 3];
  check(VecRestoreArrayWrite(vector.raw(), &data), "VecRestoreArrayWrite");
  return vector;
}

/// The whole of u = D y, on every rank.
std::vector<Vec3> gathered(const core::Comm& comm, const la::Vector& vector, const std::vector<double>& scale) {
  PetscInt size = 0;
  const PetscScalar* data = nullptr;
  check(VecGetLocalSize(vector.raw(), &size), "VecGetLocalSize");
  check(VecGetArrayRead(vector.raw(), &data), "VecGetArrayRead");
  const std::vector<double> all = comm.all_gather(std::span<const double>(data, size));
  check(VecRestoreArrayRead(vector.raw(), &data), "VecRestoreArrayRead");
  std::vector<Vec3> u;
  for (std::size_t i = 0; i < scale.size(); ++i)
    u.emplace_back(scale[i] * Vec3(all[3 * i], all[3 * i + 1], all[3 * i + 2]));
  return u;
}

void fix_sign(std::vector<Vec3>& u) {
  double largest = 0;
  for (const Vec3& v : u) largest = std::max(largest, v.cwiseAbs().maxCoeff());
  for (const Vec3& v : u)
    for (int axis = 0; axis < 3; ++axis) {
      if (std::abs(v[axis]) <= largest / 2) continue;
      if (v[axis] < 0)
        for (Vec3& w : u) w = -w;
      return;
    }
}

/// Well below the first frequency of any compact body, squared [1/s²]; it only has to make the matrix definite.
double shift(const mesh::TetMesh& mesh, const ElasticSolid& solid) {
  double volume = 0;
  for (const auto& [a, b, c, d] : mesh.tets)
    volume += mesh::tet_volume(mesh.nodes[a], mesh.nodes[b], mesh.nodes[c], mesh.nodes[d]);
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
  check(EPSSolve(eps), "EPSSolve");
  PetscInt converged = 0;
  check(EPSGetConverged(eps, &converged), "EPSGetConverged");
  if (converged < count)
    throw core::Error("Only " + std::to_string(converged) + " of " + std::to_string(count) +
                      " vibration modes converged. Ask for fewer, or try -vibration_eps_max_it 10000.");
  return solver;
}

}  // namespace

std::vector<VibrationMode> vibration_modes(const core::Comm& comm, const mesh::TetMesh& mesh, const ElasticSolid& solid,
                                           int count) {
  if (count > 3 * static_cast<int>(mesh.nodes.size()))
    throw core::Error("A mesh of " + std::to_string(mesh.nodes.size()) + " nodes has no " + std::to_string(count) +
                      " vibration modes. Ask for fewer modes, or use a finer mesh.");
  const std::vector<double> scale = root_inverse_masses(mesh, solid.density);
  std::vector<VibrationMode> modes;
  for (std::vector<Vec3>& motion : rigid_motions(mesh, scale)) modes.push_back({0, std::move(motion)});
  if (count <= kRigid) {
    modes.resize(count);
    return modes;
  }
  const la::Matrix matrix = scaled_stiffness(comm, mesh, solid, scale);
  std::vector<la::Vector> rigid;
  for (const VibrationMode& motion : modes) rigid.push_back(scaled_vector(matrix, motion.displacement, scale));
  const la::EigenSolver solver = solve(comm, matrix, rigid, shift(mesh, solid), count - kRigid);
  la::Vector vector;
  check(MatCreateVecs(matrix.raw(), vector.out(), nullptr), "MatCreateVecs");
  for (int k = 0; k < count - kRigid; ++k) {
    PetscScalar eigenvalue = 0;
    check(EPSGetEigenpair(solver.raw(), k, &eigenvalue, nullptr, vector.raw(), nullptr), "EPSGetEigenpair");
    modes.push_back({std::sqrt(std::max(eigenvalue, 0.0)) / (2 * std::numbers::pi), gathered(comm, vector, scale)});
    fix_sign(modes.back().displacement);
  }
  return modes;
}

}  // namespace brisance::modes
