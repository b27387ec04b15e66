#include "block_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace brisance::dynamics {

namespace {

constexpr Eigen::Index kPanel = 48;      ///< columns that are eliminated before the rest of a front is updated
constexpr double kNeverMoves = 1e150;    ///< pivot of dependent unknowns
constexpr double kMostZeros = 0.2;       ///< share of zeros that a front may hold, so that there are fewer [–]
constexpr std::int32_t kFewColumns = 8;  ///< fronts up to which any zeros may be held

using RowLists = std::vector<std::vector<std::int32_t>>;

/// For each row in a new order, the earlier ones that it is coupled with.
RowLists earlier_neighbours(const LowerBlocks& matrix, std::span<const std::int32_t> place) {
  RowLists earlier(place.size());
  for (std::int32_t row = 0; row < matrix.num_rows(); ++row)
    for (std::size_t k = matrix.first[static_cast<std::size_t>(row)];
         k < matrix.first[static_cast<std::size_t>(row) + 1]; ++k) {
      const std::int32_t a = place[static_cast<std::size_t>(row)],
                         b = place[static_cast<std::size_t>(matrix.column[k])];
      if (a != b) earlier[static_cast<std::size_t>(std::max(a, b))].push_back(std::min(a, b));
    }
  return earlier;
}

/// For each row the first later one that its elimination changes; −1: none (Liu 1990).
std::vector<std::int32_t> elimination_tree(const RowLists& earlier) {
  std::vector<std::int32_t> parent(earlier.size(), -1), ancestor(earlier.size(), -1);
  for (std::size_t j = 0; j < earlier.size(); ++j)
    for (std::int32_t i : earlier[j])
      while (i >= 0 && i != static_cast<std::int32_t>(j)) {
        const std::int32_t next = ancestor[static_cast<std::size_t>(i)];
        ancestor[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(j);
        if (next < 0) parent[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(j);
        i = next;
      }
  return parent;
}

/// Places of the rows such that each comes right after all that lead to it.
std::vector<std::int32_t> postorder(std::span<const std::int32_t> parent) {
  RowLists children(parent.size());
  std::vector<std::int32_t> stack, place(parent.size());
  for (std::size_t i = parent.size(); i-- > 0;) {
    if (parent[i] < 0)
      stack.push_back(static_cast<std::int32_t>(i));
    else
      children[static_cast<std::size_t>(parent[i])].push_back(static_cast<std::int32_t>(i));
  }
  // Roots first, and the other way round: then parents come last.
  auto next = static_cast<std::int32_t>(parent.size());
  while (!stack.empty()) {
    const std::int32_t i = stack.back();
    stack.pop_back();
    place[static_cast<std::size_t>(i)] = --next;
    for (const std::int32_t child : children[static_cast<std::size_t>(i)]) stack.push_back(child);
  }
  return place;
}

/// Eliminates the first columns of the lower half of a front; what is left is the rest's share.
/// @param diagonal  of the whole matrix, in these columns
void eliminate(Eigen::MatrixXd& front, std::span<const double> diagonal, double dependent) {
  const Eigen::Index size = front.rows(), columns = static_cast<Eigen::Index>(diagonal.size());
  for (Eigen::Index begin = 0; begin < columns; begin += kPanel) {
    const Eigen::Index end = std::min(columns, begin + kPanel);
    for (Eigen::Index k = begin; k < end; ++k) {
      const Eigen::Index below = size - k - 1;
      if (!(front(k, k) > dependent * diagonal[static_cast<std::size_t>(k)])) {
        front(k, k) = kNeverMoves;
        front.col(k).tail(below).setZero();
        continue;
      }
      front(k, k) = std::sqrt(front(k, k));
      front.col(k).tail(below) /= front(k, k);
      for (Eigen::Index j = k + 1; j < end; ++j)
        front.col(j).tail(size - j) -= front(j, k) * front.col(k).tail(size - j);
    }
    const Eigen::Index rest = size - end;
    if (rest > 0)
      front.bottomRightCorner(rest, rest)
          .selfadjointView<Eigen::Lower>()
          .rankUpdate(front.block(end, begin, rest, end - begin), -1.0);
  }
}

}  // namespace

/// The lower half in the new order, column by column.
struct BlockCholesky::Columns {
  std::vector<std::size_t> first;
  std::vector<std::int32_t> row;
  std::vector<const double*> block;
  std::vector<std::uint8_t> is_transposed;
};

BlockCholesky::BlockCholesky(const LowerBlocks& matrix, double dependent) {
  if (matrix.num_rows() == 0) return;
  order(matrix);
  find_fronts(matrix);
  factorise(matrix, dependent);
}

void BlockCholesky::order(const LowerBlocks& matrix) {
  const std::int32_t size = matrix.num_rows();
  std::vector<Eigen::Triplet<double, int>> pattern;
  for (std::int32_t row = 0; row < size; ++row)
    for (std::size_t k = matrix.first[static_cast<std::size_t>(row)];
         k < matrix.first[static_cast<std::size_t>(row) + 1]; ++k)
      pattern.emplace_back(row, matrix.column[k], 1.0);
  Eigen::SparseMatrix<double> lower(size, size);
  lower.setFromTriplets(pattern.begin(), pattern.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> found;
  Eigen::AMDOrdering<int>()(lower.selfadjointView<Eigen::Lower>(), found);
  place_.resize(static_cast<std::size_t>(size));
  for (std::int32_t i = 0; i < size; ++i) place_[static_cast<std::size_t>(found.indices()[i])] = i;
  const std::vector<std::int32_t> after = postorder(elimination_tree(earlier_neighbours(matrix, place_)));
  for (std::int32_t& place : place_) place = after[static_cast<std::size_t>(place)];
}

void BlockCholesky::find_fronts(const LowerBlocks& matrix) {
  const RowLists earlier = earlier_neighbours(matrix, place_);
  const std::vector<std::int32_t> parent = elimination_tree(earlier);
  RowLists rows(earlier.size());  // later ones that a column is coupled with
  for (std::size_t j = 0; j < earlier.size(); ++j)
    for (const std::int32_t i : earlier[j]) rows[static_cast<std::size_t>(i)].push_back(static_cast<std::int32_t>(j));
  double zeros = 0;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    std::vector<std::int32_t>& here = rows[j];
    std::sort(here.begin(), here.end());
    here.erase(std::unique(here.begin(), here.end()), here.end());
    const auto column = static_cast<std::int32_t>(j);
    bool joins = false;
    if (j > 0 && parent[j - 1] == column) {
      // The rows of a front are those of its last column.
      const auto wide = static_cast<double>(fronts_.back().end - fronts_.back().begin),
                 more = static_cast<double>(here.size() + 1) - static_cast<double>(fronts_.back().rows.size());
      const double with = zeros + wide * more, whole = (wide + 1) * (static_cast<double>(here.size()) + wide / 2);
      joins = more == 0 || with <= kMostZeros * whole || wide < kFewColumns;
      zeros = joins ? with : 0;
    } else {
      zeros = 0;
    }
    if (joins) {
      fronts_.back().end = column + 1;
      fronts_.back().rows = here;
    } else {
      fronts_.push_back({column, column + 1, here, {}});
    }
    if (parent[j] >= 0) {
      std::vector<std::int32_t>& above = rows[static_cast<std::size_t>(parent[j])];
      above.insert(above.end(), here.begin() + 1, here.end());
    }
    std::vector<std::int32_t>().swap(here);
  }
}

BlockCholesky::Columns BlockCholesky::reordered(const LowerBlocks& matrix) const {
  Columns columns;
  columns.first.assign(place_.size() + 1, 0);
  const auto for_each = [&](const auto& visit) {
    for (std::size_t row = 0; row < place_.size(); ++row)
      for (std::size_t k = matrix.first[row]; k < matrix.first[row + 1]; ++k) {
        const std::int32_t a = place_[row], b = place_[static_cast<std::size_t>(matrix.column[k])];
        visit(std::min(a, b), std::max(a, b), k, a < b);
      }
  };
  for_each([&](std::int32_t column, std::int32_t, std::size_t, bool) {
    ++columns.first[static_cast<std::size_t>(column) + 1];
  });
  std::partial_sum(columns.first.begin(), columns.first.end(), columns.first.begin());
  columns.row.resize(columns.first.back());
  columns.block.resize(columns.first.back());
  columns.is_transposed.resize(columns.first.back());
  std::vector<std::size_t> next(columns.first.begin(), columns.first.end() - 1);
  for_each([&](std::int32_t column, std::int32_t row, std::size_t k, bool turned) {
    const std::size_t at = next[static_cast<std::size_t>(column)]++;
    columns.row[at] = row;
    columns.block[at] = &matrix.values[9 * k];
    columns.is_transposed[at] = turned ? 1 : 0;
  });
  return columns;
}

void BlockCholesky::factorise(const LowerBlocks& matrix, double dependent) {
  using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const Columns columns = reordered(matrix);
  std::vector<Eigen::MatrixXd> left(fronts_.size());  // for the fronts of the rows
  std::vector<std::vector<std::size_t>> below(fronts_.size());
  std::vector<std::size_t> front_of(place_.size());
  for (std::size_t f = 0; f < fronts_.size(); ++f)
    for (std::int32_t c = fronts_[f].begin; c < fronts_[f].end; ++c) front_of[static_cast<std::size_t>(c)] = f;
  std::vector<Eigen::Index> at(place_.size(), 0);  // three times the place in the front
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    Front& front = fronts_[f];
    const Eigen::Index wide = front.end - front.begin, tall = wide + static_cast<Eigen::Index>(front.rows.size());
    for (std::int32_t c = front.begin; c < front.end; ++c) at[static_cast<std::size_t>(c)] = 3 * (c - front.begin);
    for (std::size_t i = 0; i < front.rows.size(); ++i)
      at[static_cast<std::size_t>(front.rows[i])] = 3 * (wide + static_cast<Eigen::Index>(i));
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(3 * tall, 3 * tall);
    std::vector<double> diagonal;
    for (std::int32_t c = front.begin; c < front.end; ++c) {
      const auto column = static_cast<std::size_t>(c);
      for (std::size_t k = columns.first[column]; k < columns.first[column + 1]; ++k) {
        const Eigen::Map<const Block> block(columns.block[k]);
        auto to = dense.block<3, 3>(at[static_cast<std::size_t>(columns.row[k])], at[column]);
        if (columns.is_transposed[k] != 0)
          to = block.transpose();
        else
          to = block;
        if (columns.row[k] == c)
          for (int a = 0; a < 3; ++a) diagonal.push_back(block(a, a));
      }
    }
    for (const std::size_t child : below[f]) {
      const std::vector<std::int32_t>& rows = fronts_[child].rows;
      const Eigen::MatrixXd& share = left[child];
      for (std::size_t j = 0; j < rows.size(); ++j)
        for (std::size_t i = j; i < rows.size(); ++i)
          dense.block<3, 3>(at[static_cast<std::size_t>(rows[i])], at[static_cast<std::size_t>(rows[j])]) +=
              share.block<3, 3>(3 * static_cast<Eigen::Index>(i), 3 * static_cast<Eigen::Index>(j));
      left[child].resize(0, 0);
    }
    eliminate(dense, diagonal, dependent);
    front.factor = dense.leftCols(3 * wide);
    if (front.rows.empty()) continue;
    left[f] = dense.bottomRightCorner(3 * (tall - wide), 3 * (tall - wide));
    below[front_of[static_cast<std::size_t>(front.rows.front())]].push_back(f);
  }
}

std::vector<ConstrainedAxes> BlockCholesky::dependent() const {
  std::vector<ConstrainedAxes> in_new_order, found;
  for (const Front& front : fronts_)
    for (std::int32_t c = 0; c < front.end - front.begin; ++c) {
      ConstrainedAxes axes = 0;
      for (int a = 0; a < 3; ++a)
        if (front.factor(3L * c + a, 3L * c + a) == kNeverMoves) axes |= static_cast<ConstrainedAxes>(1 << a);
      in_new_order.push_back(axes);
    }
  for (const std::int32_t place : place_) found.push_back(in_new_order[static_cast<std::size_t>(place)]);
  return found;
}

void BlockCholesky::solve(std::span<Vec3> x) const {
  Eigen::VectorXd all(3 * static_cast<Eigen::Index>(place_.size())), rows;
  for (std::size_t i = 0; i < place_.size(); ++i) all.segment<3>(3 * static_cast<Eigen::Index>(place_[i])) = x[i];
  const auto columns_of = [&](const Front& front) {
    return all.segment(3L * front.begin, 3L * (front.end - front.begin));
  };
  for (const Front& front : fronts_) {
    auto y = columns_of(front);
    front.factor.topRows(y.size()).triangularView<Eigen::Lower>().solveInPlace(y);
    rows.noalias() = front.factor.bottomRows(front.factor.rows() - y.size()) * y;
    for (std::size_t i = 0; i < front.rows.size(); ++i)
      all.segment<3>(3L * front.rows[i]) -= rows.segment<3>(3 * static_cast<Eigen::Index>(i));
  }
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    auto y = columns_of(*front);
    rows.resize(3 * static_cast<Eigen::Index>(front->rows.size()));
    for (std::size_t i = 0; i < front->rows.size(); ++i)
      rows.segment<3>(3 * static_cast<Eigen::Index>(i)) = all.segment<3>(3L * front->rows[i]);
    y.noalias() -= front->factor.bottomRows(rows.size()).transpose() * rows;
    front->factor.topRows(y.size()).triangularView<Eigen::Lower>().transpose().solveInPlace(y);
  }
  for (std::size_t i = 0; i < place_.size(); ++i) x[i] = all.segment<3>(3 * static_cast<Eigen::Index>(place_[i]));
}

}  // namespace brisance::dynamics
