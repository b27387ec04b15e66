#include "brisance/dynamics/ordered_rows.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::dynamics {

namespace {

using la::check;

const double* values_of(Mat matrix) {
  if (matrix == nullptr) return nullptr;
  PetscScalar* values = nullptr;
  check(MatSeqBAIJGetArray(matrix, &values), "MatSeqBAIJGetArray");
  const double* const kept = values;
  check(MatSeqBAIJRestoreArray(matrix, &values), "MatSeqBAIJRestoreArray");
  return kept;
}

}  // namespace

OrderedRows::OrderedRows(const dist::Mesh& mesh, const StepMatrix& matrix) {
  owned_.assign(matrix.owned_slots().begin(), matrix.owned_slots().end());
  std::int32_t next_square = 0, next_rest = -1;
  struct Column {
    std::int64_t number;
    std::int32_t slot, place;
  };
  std::vector<Column> row;
  for (const std::int32_t slot : owned_) {
    row.clear();
    for (const std::int32_t e : mesh.star(LocalNode(slot)))
      for (const LocalNode n : mesh.corners(LocalElement(e))) row.push_back({matrix.number(n), n.value, 0});
    std::ranges::sort(row, {}, &Column::number);
    const auto same = [](const Column& a, const Column& b) { return a.number == b.number; };
    row.erase(std::unique(row.begin(), row.end(), same), row.end());
    for (Column& column : row) column.place = mesh.is_owned(LocalNode(column.slot)) ? next_square++ : next_rest--;
    std::ranges::sort(row, {}, [&](const Column& c) { return mesh.node_id[LocalNode(c.slot)].value; });
    for (const Column& column : row) {
      if (column.slot == slot) diagonal_.push_back(column_.size());
      column_.push_back(column.slot);
      place_.push_back(column.place);
    }
    first_.push_back(column_.size());
  }
  find_values(matrix);
}

void OrderedRows::find_values(const StepMatrix& matrix) {
  PetscMPIInt ranks = 0;
  MPI_Comm_size(PetscObjectComm(reinterpret_cast<PetscObject>(matrix.raw())), &ranks);
  Mat square = matrix.raw(), rest = nullptr;
  if (ranks > 1) check(MatMPIBAIJGetSeqBAIJ(matrix.raw(), &square, &rest, nullptr), "MatMPIBAIJGetSeqBAIJ");
  square_ = values_of(square);
  rest_ = values_of(rest);
}

void OrderedRows::multiply(const dist::Mesh& mesh, std::span<Vec3> x, std::span<Vec3> y) const {
  mesh.halo().update_ghosts(x);
  for (std::size_t row = 0; row < num_rows(); ++row) {
    double sum[3][3] = {};  // separate for each column of the blocks, so that nine sums run in parallel
    for (std::size_t k = first_[row]; k < first_[row + 1]; ++k) {
      const double* const a = block(k);
      const double* const v = x[column_slot(k)].data();
      for (int b = 0; b < 3; ++b)
        for (int c = 0; c < 3; ++c) sum[b][c] = std::fma(a[3 * b + c], v[b], sum[b][c]);
    }
    for (int c = 0; c < 3; ++c) y[slot(row)][c] = sum[0][c] + sum[1][c] + sum[2][c];
  }
}

}  // namespace brisance::dynamics
