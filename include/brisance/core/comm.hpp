/// The MPI communicator that every module is given: rank, size and the few typed collectives used outside PETSc.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <mpi.h>

namespace brisance::core {

/// The MPI type of a number; MPI_BYTE for any other T.
template <class T>
[[nodiscard]] MPI_Datatype mpi_type() {
  if constexpr (std::is_same_v<T, double>)
    return MPI_DOUBLE;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return MPI_INT64_T;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return MPI_UINT64_T;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return MPI_INT32_T;
  else
    return MPI_BYTE;
}

/// A view of an MPI communicator, which it does not own and which must outlive it. Cheap to copy. MPI errors abort, as
/// MPI is set to.
class Comm {
public:
  explicit Comm(MPI_Comm comm = MPI_COMM_WORLD);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool is_root() const { return rank_ == 0; }
  [[nodiscard]] MPI_Comm raw() const { return comm_; }

  /// Collective.
  void barrier() const { MPI_Barrier(comm_); }
  /// Global minimum and maximum, on every rank. They do not depend on the order of ranks, so have the same bits on any
  /// number of ranks. Collective.
  template <class T>
  [[nodiscard]] T min(T value) const {
    return reduce(value, MPI_MIN);
  }
  template <class T>
  [[nodiscard]] T max(T value) const {
    return reduce(value, MPI_MAX);
  }
  /// Element-wise minimum or maximum of an array, in one message. Collective.
  template <std::size_t N>
  [[nodiscard]] std::array<double, N> min(std::array<double, N> values) const {
    if (size_ > 1) MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(N), MPI_DOUBLE, MPI_MIN, comm_);
    return values;
  }
  template <std::size_t N>
  [[nodiscard]] std::array<double, N> max(std::array<double, N> values) const {
    if (size_ > 1) MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(N), MPI_DOUBLE, MPI_MAX, comm_);
    return values;
  }
  /// Global sum of integers, on every rank. Doubles are summed by ExactSum, as their sum depends on the order.
  /// Collective.
  [[nodiscard]] std::int64_t sum(std::int64_t value) const { return reduce(value, MPI_SUM); }
  /// Element-wise sum of an array, in one message. Collective.
  template <std::size_t N>
  [[nodiscard]] std::array<std::int64_t, N> sum(std::array<std::int64_t, N> values) const {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(N), MPI_INT64_T, MPI_SUM, raw());
    return values;
  }
  /// Whether the value is true on any rank. Collective.
  [[nodiscard]] bool any(bool value) const { return max<std::int32_t>(value ? 1 : 0) != 0; }

  /// Concatenation of all ranks' arrays in rank order, on every rank; at most 2 GiB in all. T is trivially copyable.
  /// Collective.
  template <class T>
  [[nodiscard]] std::vector<T> all_gather(std::span<const T> mine) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<int> counts(size_), offsets(size_);
    const int bytes = static_cast<int>(mine.size_bytes());
    MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, comm_);
    int total = 0;
    for (int r = 0; r < size_; ++r) {
      offsets[r] = total;
      total += counts[r];
    }
    std::vector<T> all(total / sizeof(T));
    MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), offsets.data(), MPI_BYTE, comm_);
    return all;
  }

private:
  template <class T>
  T reduce(T value, MPI_Op op) const {
    T result;
    MPI_Allreduce(&value, &result, 1, mpi_type<T>(), op, comm_);
    return result;
  }

  MPI_Comm comm_;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace brisance::core
