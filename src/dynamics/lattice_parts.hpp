/// What the lattices of the solver and those of the hierarchical basis share.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/dynamics/step_matrix.hpp"
#include "brisance/la/star_forest.hpp"

#include <algorithm>
#include <vector>

namespace brisance::dynamics {

inline constexpr double kOnThePlane = 0x1p-20;  ///< distance from a lattice plane, in cells, that counts as on it

[[nodiscard]] inline bool is_held(ConstrainedAxes held, int axis) { return (held >> axis & 1) != 0; }

/// Sorts the list and leaves one of equal entries.
template <class T>
void sort_unique(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// Reduces each entry over all ranks. Collective.
inline void reduce(const core::Comm& comm, std::vector<double>& values, MPI_Op op) {
  la::check(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, op, comm.raw()),
            "MPI_Allreduce");
}

}  // namespace brisance::dynamics
