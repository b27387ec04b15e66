#include "brisance/dynamics/step_matrix.hpp"

#include "brisance/core/error.hpp"
#include "brisance/dynamics/element_stiffness.hpp"

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
  const auto corners = mesh.corners(e);
  const auto k = element_stiffness(mesh, e, motion, parameters.strain, equation);
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
