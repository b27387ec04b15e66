#include "function_matrix.hpp"

#include "brisance/la/sparse_exchange.hpp"

#include "dynamics/lattice_parts.hpp"

#include <algorithm>
#include <map>

namespace brisance::dynamics {

namespace {

constexpr std::uint64_t kLow = 0xffffffffU;

std::uint64_t transposed(std::uint64_t pair) { return pair << 32 | pair >> 32; }

}  // namespace

FunctionMatrix::FunctionMatrix(const core::Comm& comm, std::span<const std::int32_t> owner,
                               std::vector<std::uint64_t> pairs, std::span<const std::int32_t> moving,
                               std::int32_t split)
    : comm_(&comm), split_(split), pairs_(std::move(pairs)) {
  terms_.assign(9 * pairs_.size(), 0);
  make_rows(comm, owner, moving);
}

/// Sends the pattern of each rank's terms to the owners of their rows.
void FunctionMatrix::make_rows(const core::Comm& comm, std::span<const std::int32_t> owner,
                               std::span<const std::int32_t> moving) {
  std::map<int, std::vector<std::uint64_t>> outgoing;
  std::map<int, std::vector<std::int32_t>> places;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto send = [&](std::uint64_t pair) {
      const int to = owner[static_cast<std::size_t>(pair >> 32)];
      outgoing[to].push_back(pair);
      places[to].push_back(static_cast<std::int32_t>(i));
    };
    send(pairs_[i]);
    if (const std::uint64_t other = transposed(pairs_[i]); other != pairs_[i]) send(other);
  }
  for (auto& [rank, list] : places) sent_.push_back({rank, std::move(list)});
  const auto incoming = la::exchange_arrays(comm, outgoing);

  std::vector<std::uint64_t> all;
  for (const auto& [rank, list] : incoming) all.insert(all.end(), list.begin(), list.end());
  for (std::size_t f = 0; f < owner.size(); ++f)
    if (owner[f] == comm.rank()) {
      known_.push_back(static_cast<std::int32_t>(f));
      all.push_back(static_cast<std::uint64_t>(f) << 32 | f);  // so that each row has a diagonal block
    }
  sort_unique(all);
  for (const auto& [rank, list] : incoming) {
    Received& received = received_.emplace_back(Received{rank, {}});
    for (const std::uint64_t pair : list) {
      const auto at = static_cast<std::int32_t>(std::ranges::lower_bound(all, pair) - all.begin());
      received.blocks.push_back(pair >> 32 >= (pair & kLow) ? at : -1 - at);
    }
  }

  const std::size_t own = known_.size();
  std::vector<std::int32_t> others(moving.begin(), moving.end());
  for (const std::uint64_t pair : all) others.push_back(static_cast<std::int32_t>(pair & kLow));
  sort_unique(others);
  for (const std::int32_t f : others)
    if (owner[static_cast<std::size_t>(f)] != comm.rank()) known_.push_back(f);
  entry_.assign(owner.size(), -1);
  for (std::size_t i = 0; i < known_.size(); ++i)
    entry_[static_cast<std::size_t>(known_[i])] = static_cast<std::int32_t>(i);

  std::vector<std::int32_t> next(static_cast<std::size_t>(comm.size()), 0), place(owner.size());
  for (std::size_t f = 0; f < owner.size(); ++f) place[f] = next[static_cast<std::size_t>(owner[f])]++;
  std::vector<dist::GhostLink> ghosts;
  for (std::size_t i = own; i < known_.size(); ++i) {
    const auto f = static_cast<std::size_t>(known_[i]);
    ghosts.push_back({LocalNode(static_cast<std::int32_t>(i)), owner[f], LocalNode(place[f])});
  }
  halo_ = dist::Halo(comm, known_.size(), ghosts);

  std::size_t k = 0;
  for (std::size_t row = 0; row < own; ++row) {
    if (known_[row] < split_) ++rest_;
    std::size_t before_split = 0;
    for (; k < all.size() && all[k] >> 32 == static_cast<std::uint64_t>(known_[row]); ++k) {
      const auto f = static_cast<std::int32_t>(all[k] & kLow);
      if (f == known_[row]) diagonal_.push_back(k);
      if (f < split_) ++before_split;
      column_.push_back(entry(f));
    }
    first_of_rest_.push_back(first_.back() + before_split);
    first_.push_back(k);
  }
  values_.assign(9 * column_.size(), 0);
}

void FunctionMatrix::find(std::int32_t row, std::span<const std::int32_t> columns,
                          std::span<std::int32_t> places) const {
  const std::uint64_t in_row = static_cast<std::uint64_t>(row) << 32;
  auto at = pairs_.begin();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    at = std::lower_bound(at, pairs_.end(), in_row | static_cast<std::uint64_t>(columns[i]));
    places[i] = static_cast<std::int32_t>(at - pairs_.begin());
  }
}

void FunctionMatrix::clear_terms() { std::ranges::fill(terms_, 0.0); }

std::vector<double> FunctionMatrix::gathered(std::span<const double> terms, std::size_t width) const {
  std::vector<double> sums(width * column_.size(), 0);
  const auto add = [&](std::int32_t at, const double* from) {
    double* const to = &sums[width * static_cast<std::size_t>(at >= 0 ? at : -1 - at)];
    const bool turns = at < 0 && width == 9;
    for (std::size_t v = 0; v < width; ++v) to[v] += from[turns ? 3 * (v % 3) + v / 3 : v];
  };
  const auto received_from = [&](int rank) -> const Received& {
    return *std::ranges::find(received_, rank, &Received::rank);
  };
  std::map<int, std::vector<double>> outgoing;
  for (const Sent& sent : sent_) {
    if (sent.rank == comm_->rank()) {
      const Received& here = received_from(sent.rank);
      for (std::size_t i = 0; i < sent.places.size(); ++i)
        add(here.blocks[i], &terms[width * static_cast<std::size_t>(sent.places[i])]);
      continue;
    }
    std::vector<double>& values = outgoing[sent.rank];
    values.reserve(width * sent.places.size());
    for (const std::int32_t place : sent.places) {
      const auto from = terms.begin() + static_cast<std::ptrdiff_t>(width) * place;
      values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(width));
    }
  }
  for (const auto& [rank, values] : la::exchange_arrays(*comm_, outgoing)) {
    const Received& received = received_from(rank);
    for (std::size_t i = 0; i < received.blocks.size(); ++i) add(received.blocks[i], &values[width * i]);
  }
  return sums;
}

void FunctionMatrix::gather() { values_ = gathered(terms_, 9); }

void FunctionMatrix::multiply_row(std::size_t row, std::size_t first, std::span<const Vec3> x,
                                  std::span<Vec3> y) const {
  double sum[3] = {};
  for (std::size_t k = first; k < first_[row + 1]; ++k) {
    const double* const a = &values_[9 * k];
    const Vec3& v = x[static_cast<std::size_t>(column_[k])];
    for (int i = 0; i < 3; ++i)
      sum[i] = std::fma(a[3 * i], v[0], std::fma(a[3 * i + 1], v[1], std::fma(a[3 * i + 2], v[2], sum[i])));
  }
  y[row] = Vec3(sum[0], sum[1], sum[2]);
}

void FunctionMatrix::multiply(std::span<Vec3> x, std::span<Vec3> y, std::size_t begin) const {
  update_others(x);
  for (std::size_t row = begin; row < num_rows(); ++row) multiply_row(row, first_[row], x, y);
}

void FunctionMatrix::multiply_rest(std::span<Vec3> x, std::span<Vec3> y) const {
  update_others(x);
  for (std::size_t row = rest_; row < num_rows(); ++row) multiply_row(row, first_of_rest_[row], x, y);
}

}  // namespace brisance::dynamics
