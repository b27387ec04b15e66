/// State as named values, for checkpoints. A module lists its values once, in a function `describe(visit, state)`;
/// called with a StateWriter it saves them, with a StateReader it restores them.
///
///   template <class Visit> void describe(Visit& visit, Clock& clock) {
///     visit("time_s", clock.time_s);            // a value that is equal on all ranks
///     visit.share("cracks", clock.num_cracks);  // this rank's share of a count, to be summed over ranks
///     visit("loss", clock.loss);                // an ExactSum: this rank's share, too
///   }
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/exact_sum.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

namespace brisance::core {

/// Saved values by type, in the order of `describe`. Until reduce() is called, shares and sums are this rank's.
struct NamedState {
  std::vector<std::string> real_names, integer_names, share_names, sum_names;
  std::vector<double> reals;
  std::vector<std::int64_t> integers, shares;
  std::vector<ExactSum> sums;

  /// Replaces shares and sums by their totals over all ranks. Collective.
  void reduce(const Comm& comm);
};

/// Appends values to a NamedState. Local; does not throw.
class StateWriter {
public:
  explicit StateWriter(NamedState& state) : state_(state) {}

  void operator()(const std::string& name, const double& value) {
    state_.real_names.push_back(name);
    state_.reals.push_back(value);
  }
  void operator()(const std::string& name, const std::integral auto& value) {
    state_.integer_names.push_back(name);
    state_.integers.push_back(static_cast<std::int64_t>(value));
  }
  void operator()(const std::string& name, const ExactSum& sum) {
    state_.sum_names.push_back(name);
    state_.sums.push_back(sum);
  }
  void share(const std::string& name, const std::int64_t& count) {
    state_.share_names.push_back(name);
    state_.shares.push_back(count);
  }

private:
  NamedState& state_;
};

/// Restores values from a NamedState that reduce() was called for. Rank 0 gets the total of every share and sum, other
/// ranks zero. Local; throws core::Error where the names or their order differ.
class StateReader {
public:
  StateReader(const Comm& comm, const NamedState& state) : is_root_(comm.is_root()), state_(state) {}

  void operator()(const std::string& name, double& value) {
    value = next(name, state_.real_names, state_.reals, real_);
  }
  template <std::integral T>
  void operator()(const std::string& name, T& value) {
    value = static_cast<T>(next(name, state_.integer_names, state_.integers, integer_));
  }
  void operator()(const std::string& name, ExactSum& sum) {
    const ExactSum& total = next(name, state_.sum_names, state_.sums, sum_);
    sum = is_root_ ? total : ExactSum();
  }
  void share(const std::string& name, std::int64_t& count) {
    const std::int64_t total = next(name, state_.share_names, state_.shares, share_);
    count = is_root_ ? total : 0;
  }
  /// Throws core::Error if some values were not read.
  void require_done() const;

private:
  template <class T>
  static const T& next(const std::string& name, const std::vector<std::string>& names, const std::vector<T>& values,
                       std::size_t& at) {
    if (at >= names.size() || at >= values.size() || names[at] != name) refuse(name);
    return values[at++];
  }
  [[noreturn]] static void refuse(const std::string& name);

  bool is_root_;
  const NamedState& state_;
  std::size_t real_ = 0, integer_ = 0, share_ = 0, sum_ = 0;
};

}  // namespace brisance::core
