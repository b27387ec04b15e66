#include "lattice_matrix.hpp"

#include "brisance/core/rounded_sums.hpp"
#include "brisance/la/star_forest.hpp"

#include "lattice_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace brisance::dynamics {

namespace {

/// A set of numbers below a bound.
class NumberSet {
public:
  explicit NumberSet(std::size_t bound) : place_(bound, -1) {}
  void insert(std::int32_t number) {
    if (place_[static_cast<std::size_t>(number)] >= 0) return;
    place_[static_cast<std::size_t>(number)] = static_cast<std::int32_t>(list_.size());
    list_.push_back(number);
  }
  void clear() {
    for (const std::int32_t number : list_) place_[static_cast<std::size_t>(number)] = -1;
    list_.clear();
  }
  void sort() {
    std::ranges::sort(list_);
    for (std::size_t i = 0; i < list_.size(); ++i)
      place_[static_cast<std::size_t>(list_[i])] = static_cast<std::int32_t>(i);
  }
  [[nodiscard]] std::span<const std::int32_t> list() const { return list_; }
  /// Index of a number that is in it.
  [[nodiscard]] std::size_t place(std::int32_t number) const {
    return static_cast<std::size_t>(place_[static_cast<std::size_t>(number)]);
  }

private:
  std::vector<std::int32_t> place_, list_;
};

/// Lists of numbers, one after another.
struct Lists {
  std::vector<std::size_t> first;
  std::vector<std::int32_t> entries;
  [[nodiscard]] std::span<const std::int32_t> of(std::size_t i) const {
    return std::span(entries).subspan(first[i], first[i + 1] - first[i]);
  }
};

/// @param visit  calls its argument with (list, entry) for all entries, the same whenever it is called
template <class Visit>
Lists lists_of(std::size_t count, const Visit& visit) {
  Lists lists;
  lists.first.assign(count + 1, 0);
  visit([&](std::size_t list, std::int32_t) { ++lists.first[list + 1]; });
  for (std::size_t i = 0; i < count; ++i) lists.first[i + 1] += lists.first[i];
  lists.entries.resize(lists.first[count]);
  std::vector<std::size_t> next(lists.first.begin(), lists.first.end() - 1);
  visit([&](std::size_t list, std::int32_t entry) { lists.entries[next[list]++] = entry; });
  return lists;
}

/// This rank's rows, by the cell of their node.
Lists rows_by_cell(const Lattice& lattice, const OrderedRows& rows) {
  return lists_of(lattice.cells().size(), [&](auto&& enter) {
    for (std::size_t r = 0; r < rows.num_rows(); ++r)
      enter(static_cast<std::size_t>(lattice.cell_of(rows.slot(r))), static_cast<std::int32_t>(r));
  });
}

/// Cells whose nodes have matrix entries with those of each cell, on any rank. Collective.
Lists neighbours_of_cells(const core::Comm& comm, const Lattice& lattice, const OrderedRows& rows) {
  const std::size_t count = lattice.cells().size();
  const Lists rows_of = rows_by_cell(lattice, rows);
  using Pair = std::array<std::int32_t, 2>;
  std::vector<Pair> pairs;
  NumberSet around(count);
  for (std::size_t c = 0; c < count; ++c) {
    for (const std::int32_t r : rows_of.of(c))
      for (std::size_t k = rows.first(static_cast<std::size_t>(r)); k < rows.first(static_cast<std::size_t>(r) + 1);
           ++k)
        around.insert(lattice.cell_of(rows.column_slot(k)));
    for (const std::int32_t d : around.list()) pairs.push_back({static_cast<std::int32_t>(c), d});
    around.clear();
  }
  pairs = comm.all_gather(std::span<const Pair>(pairs));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return lists_of(count, [&](auto&& enter) {
    for (const Pair& pair : pairs) enter(static_cast<std::size_t>(pair[0]), pair[1]);
  });
}

/// Ends a row with these columns.
void add_row(LatticeMatrix& matrix, NumberSet& columns) {
  const auto row = static_cast<std::int32_t>(matrix.num_rows());
  columns.insert(row);  // so that every point has a diagonal block
  columns.sort();
  matrix.diagonal.push_back(matrix.column.size() + columns.place(row));
  matrix.column.insert(matrix.column.end(), columns.list().begin(), columns.list().end());
  matrix.first.push_back(matrix.column.size());
  columns.clear();
}

double largest_entry(const double* block) {
  double largest = 0;
  for (int i = 0; i < 9; ++i) largest = std::max(largest, std::abs(block[i]));
  return largest;
}

/// A quantum for each point, of the size of the terms of its row of Pᵀ A P, so that a stiff part of the body costs a
/// soft one no digits. Collective.
std::vector<core::Quantum> quanta_of_rows(const core::Comm& comm, const Lattice& lattice, const OrderedRows& rows) {
  std::vector<double> largest(static_cast<std::size_t>(lattice.levels()[0].num_points), 0);
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    double sum = 0;
    for (std::size_t k = rows.first(r); k < rows.first(r + 1); ++k) sum += largest_entry(rows.block(k));
    const std::size_t slot = rows.slot(r);
    for (std::size_t which = 0; which < 8; ++which) {
      double& most =
          largest[static_cast<std::size_t>(lattice.cells()[static_cast<std::size_t>(lattice.cell_of(slot))][which])];
      most = std::max(most, lattice.weights_of(slot)[which] * sum);
    }
  }
  la::check(
      MPI_Allreduce(MPI_IN_PLACE, largest.data(), static_cast<int>(largest.size()), MPI_DOUBLE, MPI_MAX, comm.raw()),
      "MPI_Allreduce");
  constexpr double kRounding = 1.0001;  // more than the rounding of the sums
  std::vector<core::Quantum> quanta;
  quanta.reserve(largest.size());
  for (const double most : largest) quanta.emplace_back(kRounding * most * static_cast<double>(lattice.most_nodes()));
  return quanta;
}

}  // namespace

void LatticeMatrix::multiply(std::size_t begin, std::size_t end, std::span<const Vec3> x, std::span<Vec3> y) const {
  for (std::size_t r = begin; r < end; ++r) {
    double sum[3][3] = {};
    for (std::size_t k = first[r]; k < first[r + 1]; ++k) {
      const double* const a = block(k);
      const double* const v = x[static_cast<std::size_t>(column[k])].data();
      for (int b = 0; b < 3; ++b)
        for (int c = 0; c < 3; ++c) sum[b][c] = std::fma(a[3 * b + c], v[b], sum[b][c]);
    }
    for (int c = 0; c < 3; ++c) y[r][c] = sum[0][c] + sum[1][c] + sum[2][c];
  }
}

LatticeMatrix finest_pattern(const core::Comm& comm, const Lattice& lattice, const OrderedRows& rows) {
  const Lists neighbours = neighbours_of_cells(comm, lattice, rows);
  const auto num_points = static_cast<std::size_t>(lattice.levels()[0].num_points);
  const Lists cells_of = lists_of(num_points, [&](auto&& enter) {
    for (std::size_t c = 0; c < lattice.cells().size(); ++c)
      for (const std::int32_t p : lattice.cells()[c]) enter(static_cast<std::size_t>(p), static_cast<std::int32_t>(c));
  });
  LatticeMatrix matrix;
  NumberSet columns(num_points), cells(lattice.cells().size());
  for (std::size_t p = 0; p < num_points; ++p) {
    for (const std::int32_t c : cells_of.of(p))
      for (const std::int32_t d : neighbours.of(static_cast<std::size_t>(c))) cells.insert(d);
    for (const std::int32_t d : cells.list())
      for (const std::int32_t q : lattice.cells()[static_cast<std::size_t>(d)]) columns.insert(q);
    cells.clear();
    add_row(matrix, columns);
  }
  matrix.values.resize(9 * matrix.column.size());
  return matrix;
}

LatticeMatrix coarser_pattern(const LatticeMatrix& fine, const LatticeLevel& level, std::int32_t num_coarse) {
  const auto count = static_cast<std::size_t>(num_coarse);
  const Lists children = lists_of(count, [&](auto&& enter) {
    for (std::int32_t p = 0; p < level.num_points; ++p)
      for (const LatticeLink& link : level.links_of(p)) enter(static_cast<std::size_t>(link.parent), p);
  });
  LatticeMatrix matrix;
  NumberSet columns(count), around(fine.num_rows());
  for (std::size_t q = 0; q < count; ++q) {
    for (const std::int32_t p : children.of(q))
      for (const std::int32_t other : fine.row(static_cast<std::size_t>(p))) around.insert(other);
    for (const std::int32_t other : around.list())
      for (const LatticeLink& link : level.links_of(other)) columns.insert(link.parent);
    around.clear();
    add_row(matrix, columns);
  }
  matrix.values.resize(9 * matrix.column.size());
  return matrix;
}

void fill_finest(const core::Comm& comm, const Lattice& lattice, const OrderedRows& rows,
                 std::span<const ConstrainedAxes> held, LatticeMatrix& matrix) {
  std::ranges::fill(matrix.values, 0.0);
  const std::vector<core::Quantum> quanta = quanta_of_rows(comm, lattice, rows);
  const Lists rows_of = rows_by_cell(lattice, rows);
  NumberSet points(matrix.num_rows());
  std::vector<double> of_cell, of_row;
  for (std::size_t c = 0; c < lattice.cells().size(); ++c) {
    const auto& corners = lattice.cells()[c];
    for (const std::int32_t r : rows_of.of(c))
      for (std::size_t k = rows.first(static_cast<std::size_t>(r)); k < rows.first(static_cast<std::size_t>(r) + 1);
           ++k)
        for (const std::int32_t q : lattice.cells()[static_cast<std::size_t>(lattice.cell_of(rows.column_slot(k)))])
          points.insert(q);
    if (points.list().empty()) continue;
    points.sort();
    const std::size_t width = 9 * points.list().size();
    of_cell.assign(8 * width, 0);
    for (const std::int32_t row : rows_of.of(c)) {
      const auto r = static_cast<std::size_t>(row);
      of_row.assign(width, 0);  // A P of this row
      const ConstrainedAxes held_here = held[rows.slot(r)];
      for (std::size_t k = rows.first(r); k < rows.first(r + 1); ++k) {
        const std::size_t slot = rows.column_slot(k);
        const ConstrainedAxes held_there = held[slot];
        std::array<double, 9> block{};
        const double* const a = rows.block(k);
        for (int i = 0; i < 9; ++i)
          if (!is_held(held_here, i % 3) && !is_held(held_there, i / 3)) block[static_cast<std::size_t>(i)] = a[i];
        const auto& there = lattice.cells()[static_cast<std::size_t>(lattice.cell_of(slot))];
        for (std::size_t which = 0; which < 8; ++which) {
          const double weight = lattice.weights_of(slot)[which];
          if (weight == 0) continue;
          double* const to = &of_row[9 * points.place(there[which])];
          for (std::size_t i = 0; i < 9; ++i) to[i] += weight * block[i];
        }
      }
      for (std::size_t which = 0; which < 8; ++which) {
        const double weight = lattice.weights_of(rows.slot(r))[which];
        if (weight == 0) continue;
        const core::Quantum quantum = quanta[static_cast<std::size_t>(corners[which])];
        double* const to = &of_cell[which * width];
        for (std::size_t i = 0; i < width; ++i) to[i] += quantum.rounded(weight * of_row[i]);
      }
    }
    for (std::size_t which = 0; which < 8; ++which) {
      const auto p = static_cast<std::size_t>(corners[which]);
      std::size_t k = matrix.first[p];
      for (std::size_t q = 0; q < points.list().size(); ++q) {
        while (matrix.column[k] != points.list()[q]) ++k;
        for (std::size_t i = 0; i < 9; ++i) matrix.values[9 * k + i] += of_cell[which * width + 9 * q + i];
      }
    }
    points.clear();
  }
  core::sum_rounded(comm, matrix.values);
}

void fill_coarser(const LatticeMatrix& fine, const LatticeLevel& level, LatticeMatrix& coarse) {
  std::ranges::fill(coarse.values, 0.0);
  const std::size_t count = coarse.num_rows();
  struct Child {
    std::int32_t point;
    double weight;
  };
  std::vector<std::vector<Child>> children(count);
  for (std::int32_t p = 0; p < level.num_points; ++p)
    for (const LatticeLink& link : level.links_of(p))
      children[static_cast<std::size_t>(link.parent)].push_back({p, link.weight});
  std::vector<std::size_t> place(count, 0);
  for (std::size_t q = 0; q < count; ++q) {
    for (std::size_t k = coarse.first[q]; k < coarse.first[q + 1]; ++k)
      place[static_cast<std::size_t>(coarse.column[k])] = 9 * k;
    for (const Child& child : children[q]) {
      const auto p = static_cast<std::size_t>(child.point);
      for (std::size_t k = fine.first[p]; k < fine.first[p + 1]; ++k)
        for (const LatticeLink& link : level.links_of(fine.column[k])) {
          const double weight = child.weight * link.weight;
          double* const to = &coarse.values[place[static_cast<std::size_t>(link.parent)]];
          for (std::size_t i = 0; i < 9; ++i) to[i] += weight * fine.values[9 * k + i];
        }
    }
  }
}

Mat3 inverse_of_block(const double* block) {
  Mat3 matrix = Eigen::Map<const Mat3>(block);
  std::array<bool, 3> is_free{};
  for (int a = 0; a < 3; ++a)
    if (!(matrix(a, a) > 0)) {
      is_free[static_cast<std::size_t>(a)] = true;
      matrix.row(a).setZero();
      matrix.col(a).setZero();
      matrix(a, a) = 1;
    }
  Mat3 inverse = matrix.inverse();
  for (int a = 0; a < 3; ++a)
    if (is_free[static_cast<std::size_t>(a)]) inverse(a, a) = 0;
  return 0.5 * (inverse + inverse.transpose());
}

}  // namespace brisance::dynamics
