#include "brisance/dynamics/step_matrix.hpp"

#include "brisance/core/error.hpp"
#include "brisance/dynamics/corotational.hpp"
#include "brisance/dynamics/law_of.hpp"
#include "brisance/elements/corotated.hpp"
#include "brisance/elements/simplex.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace brisance::dynamics {

namespace {

using la::check;

/// Numbers of the nodes around each owned node, itself included, ascending: one row of blocks after another.
struct Pattern {
  std::vector<PetscInt> first{0}, column;

  [[nodiscard]] std::span<const PetscInt> row(std::size_t r) const {
    return std::span(column).subspan(first[r], first[r + 1] - first[r]);
  }
};

Pattern pattern_of(const dist::Mesh& mesh, const dist::NodeNumbering& numbering, std::span<const std::int32_t> owned) {
  Pattern pattern;
  std::vector<PetscInt> row;
  for (const std::int32_t slot : owned) {
    row.clear();
    for (const std::int32_t e : mesh.star(LocalNode(slot)))
      for (const LocalNode n : mesh.corners(LocalElement(e))) row.push_back(static_cast<PetscInt>(numbering.number[n]));
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    pattern.column.insert(pattern.column.end(), row.begin(), row.end());
    pattern.first.push_back(static_cast<PetscInt>(pattern.column.size()));
  }
  return pattern;
}

la::Matrix empty_matrix(const core::Comm& comm, const Pattern& pattern) {
  const auto rows = static_cast<PetscInt>(3 * (pattern.first.size() - 1));
  la::Matrix matrix;
  check(MatCreate(comm.raw(), matrix.out()), "MatCreate");
  check(MatSetSizes(matrix.raw(), rows, rows, PETSC_DETERMINE, PETSC_DETERMINE), "MatSetSizes");
  check(MatSetBlockSize(matrix.raw(), 3), "MatSetBlockSize");
  check(MatSetType(matrix.raw(), comm.size() > 1 ? MATMPIBAIJ : MATSEQBAIJ), "MatSetType");
  check(MatSeqBAIJSetPreallocationCSR(matrix.raw(), 3, pattern.first.data(), pattern.column.data(), nullptr),
        "MatSeqBAIJSetPreallocationCSR");
  check(MatMPIBAIJSetPreallocationCSR(matrix.raw(), 3, pattern.first.data(), pattern.column.data(), nullptr),
        "MatMPIBAIJSetPreallocationCSR");
  check(MatSetOption(matrix.raw(), MAT_SYMMETRIC, PETSC_TRUE), "MatSetOption");
  check(MatSetOption(matrix.raw(), MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE), "MatSetOption");
  return matrix;
}

bool is_held(ConstrainedAxes held, int axis) { return (held >> axis & 1) != 0; }

/// Second-order change of strain in an iteration up to which no matrix becomes indefinite [–].
constexpr double kSecondOrder = 1e-9;

Mat3 gradient_at(const std::array<LocalNode, 4>& corners, const elements::Simplex<3>& shape,
                 std::span<const dist::NodeMotion> motion) {
  std::array<Vec3, 4> x;
  for (std::size_t i = 0; i < 4; ++i) x[i] = Vec3(motion[static_cast<std::size_t>(corners[i].value)].position);
  return corner_gradient(x, shape.gradient);
}

Mat3 cross_product_with(const Vec3& a) {
  Mat3 m;
  m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return m;
}

/// K += weight · ½ V [g_i]ₓᵀ H [g_j]ₓ: the axial vector of RᵀdF is ½ Σ g_i × u_i in the element's frame.
/// @param turned  the element's shape in its present rotation; `against_turns` is H in world axes
void add_turn_stiffness(const elements::Simplex<3>& turned, const Mat3& against_turns, double weight,
                        elements::StiffnessMatrix<3>& k) {
  std::array<Mat3, 4> cross;
  for (std::size_t i = 0; i < 4; ++i) cross[i] = cross_product_with(turned.gradient[i]);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      k.block<3, 3>(3 * i, 3 * j) += 0.5 * weight * turned.volume * cross[static_cast<std::size_t>(i)].transpose() *
                                     against_turns * cross[static_cast<std::size_t>(j)];
}

/// K += weight · R K_C Rᵀ of the anisotropic law, whose axes are those of the element at rest.
void add_directional_stiffness(const dist::ElementBlock& block, int lane, const material::Material& m,
                               const Mat3& rotation, double weight, elements::StiffnessMatrix<3>& k) {
  const auto at_rest =
      elements::anisotropic_stiffness({shape_gradients(block, lane), block.volume[lane]}, stiffness_of(m));
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      k.block<3, 3>(3 * i, 3 * j) += weight * rotation * at_rest.block<3, 3>(3 * i, 3 * j) * rotation.transpose();
}

}  // namespace

/// The blocks of this rank's rows, each column by column, in PETSc's layout.
struct StepMatrix::Values {
  std::span<PetscScalar> square, rest;

  [[nodiscard]] double* block(std::int32_t place) const {
    return place >= 0 ? &square[9 * static_cast<std::size_t>(place)] : &rest[9 * static_cast<std::size_t>(-1 - place)];
  }
};

StepMatrix::StepMatrix(const dist::Mesh& mesh) : numbering_(dist::number_nodes(mesh)) {
  core::agree(mesh.comm(), [&] {
    if (numbering_.total > std::numeric_limits<PetscInt>::max() / 3)
      throw core::Error("An implicit step of " + std::to_string(numbering_.total) +
                        " nodes has more unknowns than this PETSc can count (32-bit indices). Use a coarser mesh.");
  });
  const auto first = static_cast<PetscInt>(numbering_.first);
  const auto end = static_cast<PetscInt>(numbering_.first + numbering_.count);
  owned_.resize(static_cast<std::size_t>(numbering_.count));
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i))) owned_[static_cast<std::size_t>(numbering_.number[LocalNode(i)] - first)] = i;
  const Pattern pattern = pattern_of(mesh, numbering_, owned_);
  matrix_ = empty_matrix(mesh.comm(), pattern);

  // Columns of this rank's own nodes are in the square part, the others in the rest, both in ascending order.
  std::vector<std::int32_t> square_before(owned_.size()), rest_before(owned_.size()), lower(owned_.size());
  std::int32_t num_square = 0, num_rest = 0;
  for (std::size_t r = 0; r < owned_.size(); ++r) {
    const auto row = pattern.row(r);
    const auto begin_own = std::ranges::lower_bound(row, first), end_own = std::ranges::lower_bound(row, end);
    square_before[r] = num_square;
    rest_before[r] = num_rest;
    lower[r] = static_cast<std::int32_t>(begin_own - row.begin());
    const auto own = static_cast<std::int32_t>(end_own - begin_own);
    num_square += own;
    num_rest += static_cast<std::int32_t>(row.size()) - own;
  }
  num_square_ = num_square;
  num_blocks_ = static_cast<std::int64_t>(num_square) + num_rest;
  const auto place = [&](std::size_t r, PetscInt column) {
    const auto row = pattern.row(r);
    const auto at = static_cast<std::int32_t>(std::ranges::lower_bound(row, column) - row.begin());
    if (column >= first && column < end) return square_before[r] + at - lower[r];
    const std::int32_t own = (r + 1 < owned_.size() ? square_before[r + 1] : num_square) - square_before[r];
    return -1 - (rest_before[r] + (column < first ? at : at - own));
  };
  for (std::size_t r = 0; r < owned_.size(); ++r) diagonal_.push_back(place(r, first + static_cast<PetscInt>(r)));
  places_.resize(static_cast<std::size_t>(mesh.num_element_slots()));
  for (std::int32_t slot = 0; slot < mesh.num_element_slots(); ++slot) {
    Places& places = places_[static_cast<std::size_t>(slot)];
    places.fill(kElsewhere);
    const LocalElement e(slot);
    if (!mesh.is_held(e)) continue;
    const auto corners = mesh.corners(e);
    for (std::size_t i = 0; i < 4; ++i) {
      if (!mesh.is_owned(corners[i])) continue;
      const auto r = static_cast<std::size_t>(numbering_.number[corners[i]] - first);
      for (std::size_t j = 0; j < 4; ++j)
        places[4 * i + j] = place(r, static_cast<PetscInt>(numbering_.number[corners[j]]));
    }
  }
}

void StepMatrix::add_element(const dist::Mesh& mesh, LocalElement e, std::span<const dist::NodeMotion> motion,
                             const Parameters& parameters, const StepEquation& equation,
                             std::span<const ConstrainedAxes> held, Values& values) const {
  const dist::ElementBlock& block = mesh.blocks[static_cast<std::size_t>(e.value / dist::kBatch)];
  const int lane = e.value % dist::kBatch;
  const auto corners = mesh.corners(e);
  elements::Simplex<3> shape{shape_gradients(block, lane), block.volume[lane]};
  const material::Material& m = mesh.material(e);
  const bool isotropic = !material::is_anisotropic(m);
  Mat3 rotation = Mat3::Identity(), against_turns = Mat3::Zero();
  const bool turns = parameters.strain == Strain::corotational && equation.turns != TurnStiffness::none;
  if (parameters.strain == Strain::corotational) {
    const Mat3 f = gradient_at(corners, shape, motion), r = elements::rotation_of(f);
    const bool foresees = turns && !equation.turned_at.empty();
    const Mat3 f_before = foresees ? gradient_at(corners, shape, equation.turned_at) : f;
    const bool has_moved = (f - f_before).squaredNorm() > kSecondOrder;
    const Mat3 seen_from = has_moved ? elements::rotation_of(f_before) : r;
    for (Vec3& g : shape.gradient) g = r * g;  // R K Rᵀ is the stiffness of the turned shape
    rotation = r;
    if (turns) {
      const Mat3 strain = elements::small_strain(seen_from, f), stretch = r.transpose() * f;
      const Mat3 stress = isotropic ? elements::hooke_stress(strain, m.lame_lambda, m.lame_mu)
                                    : elements::anisotropic_stress(strain, stiffness_of(m));
      against_turns = r *
                      elements::turn_stiffness(0.5 * (stretch + stretch.transpose()), stress,
                                               equation.turns == TurnStiffness::tension) *
                      r.transpose();
    }
  }
  const double viscous = equation.inertia * equation.damping_weight() * block.damping_scale[lane];
  const double hooke = isotropic ? equation.stiffness_weight() : 0;
  auto k = elements::elastic_stiffness(shape, hooke * m.lame_lambda + viscous * m.damping_phi,
                                       hooke * m.lame_mu + viscous * m.damping_psi);
  if (!isotropic) add_directional_stiffness(block, lane, m, rotation, equation.stiffness_weight(), k);
  if (turns) add_turn_stiffness(shape, against_turns, equation.stiffness_weight(), k);
  const Places& places = places_[static_cast<std::size_t>(e.value)];
  for (int i = 0; i < 4; ++i) {
    const std::size_t row = 4 * static_cast<std::size_t>(i);
    if (places[row] == kElsewhere) continue;
    const ConstrainedAxes held_i = held[static_cast<std::size_t>(corners[static_cast<std::size_t>(i)].value)];
    for (int j = 0; j < 4; ++j) {
      double* const to = values.block(places[row + static_cast<std::size_t>(j)]);
      const ConstrainedAxes held_j = held[static_cast<std::size_t>(corners[static_cast<std::size_t>(j)].value)];
      for (int b = 0; b < 3; ++b)
        for (int a = 0; a < 3; ++a) {
          const bool stays = (i == j && a == b) || (!is_held(held_i, a) && !is_held(held_j, b));
          if (stays) to[3 * b + a] += k(3 * i + a, 3 * j + b);
        }
    }
  }
}

void StepMatrix::fill(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, const Parameters& parameters,
                      const StepEquation& equation, std::span<const NodeBlock> blocks,
                      std::span<const ConstrainedAxes> held) {
  check(MatZeroEntries(matrix_.raw()), "MatZeroEntries");
  Mat square = matrix_.raw(), rest = nullptr;
  if (mesh.comm().size() > 1)
    check(MatMPIBAIJGetSeqBAIJ(matrix_.raw(), &square, &rest, nullptr), "MatMPIBAIJGetSeqBAIJ");
  PetscScalar *square_data = nullptr, *rest_data = nullptr;
  check(MatSeqBAIJGetArray(square, &square_data), "MatSeqBAIJGetArray");
  if (rest != nullptr) check(MatSeqBAIJGetArray(rest, &rest_data), "MatSeqBAIJGetArray");
  Values values{{square_data, 9 * static_cast<std::size_t>(num_square_)},
                {rest_data, 9 * static_cast<std::size_t>(num_blocks_ - num_square_)}};

  for (std::int32_t slot = 0; slot < mesh.num_element_slots(); ++slot)
    if (mesh.is_held(LocalElement(slot)))
      add_element(mesh, LocalElement(slot), motion, parameters, equation, held, values);
  const double mass_weight = equation.inertia * (1 + equation.damping_weight() * parameters.mass_damping_per_s);
  for (std::size_t r = 0; r < owned_.size(); ++r) {
    double* const to = values.block(diagonal_[r]);
    for (int a = 0; a < 3; ++a) to[4 * a] += mass_weight * mesh.mass[LocalNode(owned_[r])];
  }
  for (const NodeBlock& added : blocks) {
    const LocalNode n(added.node);
    double* const to = values.block(diagonal_[row(n) / 3]);
    const ConstrainedAxes held_here = held[static_cast<std::size_t>(added.node)];
    for (int b = 0; b < 3; ++b)
      for (int a = 0; a < 3; ++a)
        if (a == b || (!is_held(held_here, a) && !is_held(held_here, b))) to[3 * b + a] += added.block(a, b);
  }

  check(MatSeqBAIJRestoreArray(square, &square_data), "MatSeqBAIJRestoreArray");
  if (rest != nullptr) check(MatSeqBAIJRestoreArray(rest, &rest_data), "MatSeqBAIJRestoreArray");
  // Tells PETSc that its values were changed directly.
  check(MatAssemblyBegin(matrix_.raw(), MAT_FINAL_ASSEMBLY), "MatAssemblyBegin");
  check(MatAssemblyEnd(matrix_.raw(), MAT_FINAL_ASSEMBLY), "MatAssemblyEnd");
}

la::Vector StepMatrix::vector() const {
  la::Vector vector;
  check(MatCreateVecs(matrix_.raw(), vector.out(), nullptr), "MatCreateVecs");
  return vector;
}

}  // namespace brisance::dynamics
