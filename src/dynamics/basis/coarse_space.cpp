#include "coarse_space.hpp"

#include <algorithm>
#include <array>

namespace brisance::dynamics {

using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// A block with the functions of its row and column.
struct MatrixEntry {
  std::int32_t row, column;
  std::array<double, 9> values;

  [[nodiscard]] Eigen::Map<const Block> block() const { return Eigen::Map<const Block>(values.data()); }
};

/// A sparse row of blocks; columns ascend.
struct BlockRow {
  std::vector<std::int32_t> column;
  std::vector<Block> block;
};

namespace {

constexpr double kAddedBeneath = 1e-8;  ///< share of the diagonal added to shares in free nodes, which often depend [–]

using Entry = MatrixEntry;

/// Sums of blocks by column.
class RowSum {
public:
  explicit RowSum(std::int32_t num_columns)
      : sum_(static_cast<std::size_t>(num_columns)), is_touched_(sum_.size(), 0) {}
  template <class Term>
  void add(std::int32_t column, const Term& term) {
    const auto c = static_cast<std::size_t>(column);
    if (is_touched_[c] == 0) {
      is_touched_[c] = 1;
      touched_.push_back(column);
      sum_[c] = term;
    } else {
      sum_[c] += term;
    }
  }
  /// The sums, which start again from nothing.
  [[nodiscard]] BlockRow take() {
    BlockRow row;
    std::sort(touched_.begin(), touched_.end());
    row.column = touched_;
    for (const std::int32_t c : touched_) {
      row.block.push_back(sum_[static_cast<std::size_t>(c)]);
      is_touched_[static_cast<std::size_t>(c)] = 0;
    }
    touched_.clear();
    return row;
  }

private:
  std::vector<Block> sum_;
  std::vector<std::uint8_t> is_touched_;
  std::vector<std::int32_t> touched_;
};

/// The lower half of a matrix without the rows of finer details than the coarse space has, of all ranks, ascending.
std::vector<Entry> whole_lower_half(const core::Comm& comm, const FunctionMatrix& matrix, const Functions& functions,
                                    bool with_free) {
  const auto counts = [&](std::int32_t f) {
    return f < functions.num_direct() || (with_free && f >= functions.num_lattice());
  };
  std::vector<Entry> entries;
  for (std::size_t row = 0; row < matrix.num_rows(); ++row)
    for (std::size_t k = matrix.first(row); k <= matrix.diagonal(row); ++k) {
      const std::int32_t f = matrix.function(row), g = matrix.function(matrix.column(k));
      if (!counts(f) || !counts(g)) continue;
      Entry& entry = entries.emplace_back(Entry{f, g, {}});
      std::copy_n(matrix.block(k), 9, entry.values.begin());
    }
  if (comm.size() == 1) return entries;
  entries = comm.all_gather(std::span<const Entry>(entries));
  std::ranges::sort(
      entries, [](const Entry& a, const Entry& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; });
  return entries;
}

}  // namespace

CoarseSpace::CoarseSpace(const core::Comm& comm, const FunctionMatrix& matrix, const Functions& functions, bool goes_on,
                         double added)
    : comm_(&comm), functions_(&functions), goes_on_(goes_on && functions.num_free() > 0) {
  for (std::size_t row = 0; row < matrix.num_rows(); ++row)
    if (const std::int32_t f = matrix.function(row);
        f < functions.num_direct() || (goes_on_ && f >= functions.num_lattice())) {
      own_.push_back(static_cast<std::int32_t>(row));
      numbers_.push_back(f);
    }
  all_ = comm.all_gather(std::span<const std::int32_t>(numbers_));
  factor_ = std::make_unique<BlockCholesky>(product(matrix, added));
}

struct CoarseSpace::Shares {
  /// Where a function stands in a row of W or U.
  struct Place {
    std::int32_t node;
    std::size_t at;
  };
  std::vector<BlockRow> u;                     ///< by free node
  std::vector<std::vector<Place>> in_w, in_u;  ///< by function
};

CoarseSpace::Shares CoarseSpace::shares_of_free(std::span<const MatrixEntry> rows_of_free, std::int32_t size) const {
  const std::int32_t lattice = functions_->num_lattice();
  const auto num_free = static_cast<std::size_t>(goes_on_ ? functions_->num_free() : 0);
  const auto node_of = [&](std::int32_t f) { return static_cast<std::size_t>(f - lattice); };
  std::vector<std::vector<const Entry*>> of_node(num_free);  // both halves, ascending
  for (const Entry& e : rows_of_free) {
    of_node[node_of(e.row)].push_back(&e);
    if (e.column >= lattice && e.column != e.row) of_node[node_of(e.column)].push_back(&e);
  }
  Shares shares;
  shares.u.resize(num_free);
  shares.in_w.resize(static_cast<std::size_t>(size));
  shares.in_u.resize(static_cast<std::size_t>(size));
  RowSum sum(size);
  for (std::size_t i = 0; i < num_free; ++i) {
    const auto node = static_cast<std::int32_t>(i);
    for (const Entry* const e : of_node[i]) {
      if (e->column < lattice) {
        sum.add(e->column, e->block());
        continue;
      }
      const bool is_lower = e->row - lattice == node;
      const Block half = 0.5 * (is_lower ? Block(e->block()) : Block(e->block().transpose()));
      for (const Functions::Link& link : functions_->beneath((is_lower ? e->column : e->row) - lattice))
        sum.add(link.function, link.weight * half);
    }
    shares.u[i] = sum.take();
    const auto links = functions_->beneath(node);
    for (std::size_t k = 0; k < links.size(); ++k)
      shares.in_w[static_cast<std::size_t>(links[k].function)].push_back({node, k});
    const std::vector<std::int32_t>& columns = shares.u[i].column;
    for (std::size_t k = 0; k < columns.size(); ++k)
      shares.in_u[static_cast<std::size_t>(columns[k])].push_back({node, k});
  }
  return shares;
}

/// Tᵀ A T = A_ll + Wᵀ U + Uᵀ W with U = A_fl + ½ A_ff W, where l are lattice functions, f free nodes, and W the weights
/// of the former at the latter.
LowerBlocks CoarseSpace::product(const FunctionMatrix& matrix, double added) const {
  const std::int32_t size = goes_on_ ? functions_->num_coarse() : functions_->num_direct();
  const std::vector<Entry> entries = whole_lower_half(*comm_, matrix, *functions_, goes_on_);
  const auto first_free = std::ranges::lower_bound(entries, functions_->num_lattice(), {}, &Entry::row);
  const Shares shares = shares_of_free(std::span(first_free, entries.end()), size);
  RowSum sum(size);
  LowerBlocks lower;
  auto next = entries.begin();
  for (std::int32_t f = 0; f < size; ++f) {
    sum.add(f, Block::Zero());
    for (; next != first_free && next->row == f; ++next) sum.add(next->column, next->block());
    for (const Shares::Place& place : shares.in_w[static_cast<std::size_t>(f)]) {
      const BlockRow& row = shares.u[static_cast<std::size_t>(place.node)];
      const double weight = functions_->beneath(place.node)[place.at].weight;
      for (std::size_t k = 0; k < row.column.size() && row.column[k] <= f; ++k)
        sum.add(row.column[k], weight * row.block[k]);
    }
    for (const Shares::Place& place : shares.in_u[static_cast<std::size_t>(f)]) {
      const Block turned = shares.u[static_cast<std::size_t>(place.node)].block[place.at].transpose();
      for (const Functions::Link& link : functions_->beneath(place.node)) {
        if (link.function > f) break;
        sum.add(link.function, link.weight * turned);
      }
    }
    BlockRow row = sum.take();
    for (int a = 0; a < 3; ++a)
      row.block.back()(a, a) *= 1 + (f < functions_->num_direct() ? added : std::max(added, kAddedBeneath));
    lower.column.insert(lower.column.end(), row.column.begin(), row.column.end());
    for (const Block& block : row.block) lower.values.insert(lower.values.end(), block.data(), block.data() + 9);
    lower.first.push_back(lower.column.size());
  }
  return lower;
}

void CoarseSpace::correct(std::span<const Vec3> r, std::span<Vec3> x) const {
  std::vector<std::array<double, 3>> values;
  values.reserve(all_.size());
  for (const std::int32_t row : own_) {
    const Vec3& here = r[static_cast<std::size_t>(row)];
    values.push_back({here[0], here[1], here[2]});
  }
  if (comm_->size() > 1) values = comm_->all_gather(std::span<const std::array<double, 3>>(values));
  const std::int32_t size = goes_on_ ? functions_->num_coarse() : functions_->num_direct(),
                     lattice = functions_->num_lattice();
  std::vector<Vec3> coarse(static_cast<std::size_t>(size), Vec3::Zero()),
      free(static_cast<std::size_t>(goes_on_ ? functions_->num_free() : 0));
  for (std::size_t i = 0; i < all_.size(); ++i)
    (all_[i] < lattice ? coarse[static_cast<std::size_t>(all_[i])]
                       : free[static_cast<std::size_t>(all_[i] - lattice)]) = Vec3(values[i].data());
  for (std::size_t i = 0; i < free.size(); ++i)
    for (const Functions::Link& link : functions_->beneath(static_cast<std::int32_t>(i)))
      coarse[static_cast<std::size_t>(link.function)] += link.weight * free[i];
  for (std::size_t f = 0; f < rotations_.size(); ++f) coarse[f] = rotations_[f].transpose() * coarse[f];
  factor_->solve(coarse);
  for (std::size_t f = 0; f < rotations_.size(); ++f) coarse[f] = rotations_[f] * coarse[f];
  for (std::size_t at = 0; at < own_.size(); ++at) {
    const std::int32_t f = numbers_[at];
    Vec3& here = x[static_cast<std::size_t>(own_[at])];
    if (f < lattice) {
      here = coarse[static_cast<std::size_t>(f)];
      continue;
    }
    here = Vec3::Zero();
    for (const Functions::Link& link : functions_->beneath(f - lattice))
      here += link.weight * coarse[static_cast<std::size_t>(link.function)];
  }
}

}  // namespace brisance::dynamics
