/// Sums of approximate quantities over all ranks: accurate to rounding, but not bit-identical on any number of ranks
/// (core::ExactSum is).
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/la/star_forest.hpp"

#include <span>

namespace brisance::la {

/// Each value becomes its sum over all ranks. Collective; throws core::Error.
inline void sum_over_ranks(const core::Comm& comm, std::span<double> values) {
  check(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, comm.raw()),
        "MPI_Allreduce");
}
[[nodiscard]] inline double sum_over_ranks(const core::Comm& comm, double value) {
  sum_over_ranks(comm, std::span<double>(&value, 1));
  return value;
}

}  // namespace brisance::la
