/// A small distributed matrix in one piece.
#pragma once

#include "brisance/la/handles.hpp"

#include <cstdint>
#include <vector>

namespace brisance::test {

/// Rows and columns of 3×3 blocks in ascending id, on every rank. @param id  of this rank's block rows, in their order
/// Collective.
inline Eigen::MatrixXd whole_matrix(const core::Comm& comm, Mat matrix, const std::vector<std::int64_t>& id) {
  const auto ids = comm.all_gather(std::span<const std::int64_t>(id));
  const auto size = static_cast<PetscInt>(3 * ids.size());
  PetscInt begin = 0, end = 0;
  la::check(MatGetOwnershipRange(matrix, &begin, &end), "MatGetOwnershipRange");
  std::vector<double> mine;
  for (PetscInt row = begin; row < end; ++row)
    for (PetscInt column = 0; column < size; ++column) {
      double value = 0;
      la::check(MatGetValues(matrix, 1, &row, 1, &column, &value), "MatGetValues");
      mine.push_back(value);
    }
  const auto all = comm.all_gather(std::span<const double>(mine));
  Eigen::MatrixXd whole(size, size);
  for (PetscInt r = 0; r < size; ++r)
    for (PetscInt c = 0; c < size; ++c)
      whole(3 * ids[static_cast<std::size_t>(r / 3)] + r % 3, 3 * ids[static_cast<std::size_t>(c / 3)] + c % 3) =
          all[static_cast<std::size_t>(r) * static_cast<std::size_t>(size) + static_cast<std::size_t>(c)];
  return whole;
}

}  // namespace brisance::test
