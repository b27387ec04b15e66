/// The pattern of an assembly's matrix, and the terms of nodes, which do not turn.
#include "brisance/core/rounded_sums.hpp"

#include "assembly.hpp"
#include "block_cholesky.hpp"
#include "dynamics/lattice_parts.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace brisance::dynamics {

namespace {

constexpr double kDependent = 1e-3;  ///< a function with less of its mass beyond those before it is dependent [–]

}  // namespace

/// Lists of functions that are coupled; tets and nodes of one place have the same.
struct ReducedSystem::Assembly::Lists {
  std::set<std::vector<std::int32_t>> lists;

  [[nodiscard]] std::vector<std::uint64_t> pairs() const {
    std::vector<std::uint64_t> pairs;
    for (const auto& list : lists) {
      for (std::size_t i = 0; i < list.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
          pairs.push_back(static_cast<std::uint64_t>(list[i]) << 32 | static_cast<std::uint64_t>(list[j]));
      if (pairs.size() > (std::size_t{1} << 23)) sort_unique(pairs);
    }
    sort_unique(pairs);
    return pairs;
  }
};

/// All functions of a cell are coupled, and those that move a loose tet, or an own node. Collective.
void ReducedSystem::Assembly::make_pattern(const dist::Mesh& mesh) {
  Lists lists;
  for (const Cell& cell : cells_) lists.lists.insert(cell.functions);
  for (const std::int32_t slot : loose_) {
    functions_of(links(mesh, LocalElement(slot)), chosen_);
    lists.lists.insert(chosen_);
  }
  std::vector<std::int32_t> moving;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    chosen_.clear();
    for (const Functions::Link& link : functions_.of(static_cast<std::size_t>(i))) chosen_.push_back(link.function);
    moving.insert(moving.end(), chosen_.begin(), chosen_.end());
    if (mesh.is_owned(LocalNode(i)) && held_[static_cast<std::size_t>(i)] != kHeld) lists.lists.insert(chosen_);
  }
  sort_unique(moving);
  matrix_ = FunctionMatrix(mesh.comm(), functions_.owners(), lists.pairs(), moving, functions_.num_direct());

  const auto find = [&](const std::vector<std::int32_t>& functions, std::vector<std::int32_t>& places) {
    for (std::size_t i = 0; i < functions.size(); ++i) {
      places.resize(places.size() + i + 1);
      matrix_.find(functions[i], std::span(functions).first(i + 1), std::span(places).last(i + 1));
    }
  };
  for (Cell& cell : cells_) find(cell.functions, cell.places);
  for (const std::int32_t slot : loose_) {
    first_loose_place_.push_back(loose_places_.size());
    functions_of(links(mesh, LocalElement(slot)), chosen_);
    find(chosen_, loose_places_);
  }
}

/// Σ m w wᵀ over nodes whose motion along an axis is not prescribed. Collective.
void ReducedSystem::Assembly::find_masses(const dist::Mesh& mesh) {
  double largest = 0;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i))) largest = std::max(largest, mesh.mass[LocalNode(i)]);
  const core::Quantum quantum(mesh.comm().max(largest) * static_cast<double>(functions_.num_nodes()));
  std::vector<double> terms(3 * matrix_.num_terms(), 0);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    if (!mesh.is_owned(LocalNode(i)) || held_[static_cast<std::size_t>(i)] == kHeld) continue;
    const auto links = functions_.of(static_cast<std::size_t>(i));
    chosen_.clear();
    for (const Functions::Link& link : links) chosen_.push_back(link.function);
    places_.resize(chosen_.size());
    for (std::size_t row = 0; row < links.size(); ++row) {
      matrix_.find(chosen_[row], std::span(chosen_).first(row + 1), places_);
      for (std::size_t column = 0; column <= row; ++column) {
        const double term = quantum.rounded(mesh.mass[LocalNode(i)] * links[row].weight * links[column].weight);
        for (std::size_t a = 0; a < 3; ++a)
          if (!is_held(held_[static_cast<std::size_t>(i)], static_cast<int>(a)))
            terms[3 * static_cast<std::size_t>(places_[column]) + a] += term;
      }
    }
  }
  masses_ = matrix_.gathered(terms, 3);
}

/// Where few nodes are neither free nor held, lattice functions are combinations of others: in thin layers, and of
/// finer lattices that no more nodes tell apart. Then the matrix is singular, and nothing conditions it. Every rank
/// finds them by the pivots of the masses. Collective.
void ReducedSystem::Assembly::find_dependent(const core::Comm& comm) {
  struct Entry {
    std::int32_t row, column;
    std::array<double, 3> mass;
  };
  std::vector<Entry> entries;
  for (std::size_t row = 0; row < matrix_.num_rows(); ++row) {
    const std::int32_t f = matrix_.function(row);
    if (f >= functions_.num_direct()) break;
    for (std::size_t k = matrix_.first(row); k <= matrix_.diagonal(row); ++k)
      entries.push_back(
          {f, matrix_.function(matrix_.column(k)), {masses_[3 * k], masses_[3 * k + 1], masses_[3 * k + 2]}});
  }
  if (comm.size() > 1) {
    entries = comm.all_gather(std::span<const Entry>(entries));
    std::ranges::sort(
        entries, [](const Entry& a, const Entry& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; });
  }
  LowerBlocks masses;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    masses.column.push_back(entries[k].column);
    const std::array<double, 3>& mass = entries[k].mass;
    masses.values.insert(masses.values.end(), {mass[0], 0, 0, 0, mass[1], 0, 0, 0, mass[2]});
    if (k + 1 == entries.size() || entries[k + 1].row != entries[k].row) masses.first.push_back(k + 1);
  }
  dependent_ = BlockCholesky(masses, kDependent).dependent();
  dependent_.resize(static_cast<std::size_t>(functions_.count()), 0);
  leave_out_dependent(masses_, 3);
}

/// @param blocks  `width` values for each block of the matrix: the diagonal, or all nine
void ReducedSystem::Assembly::leave_out_dependent(std::span<double> blocks, std::size_t width) const {
  for (std::size_t row = 0; row < matrix_.num_rows(); ++row)
    for (std::size_t k = matrix_.first(row); k < matrix_.first(row + 1); ++k) {
      const ConstrainedAxes of_row = dependent(matrix_.function(row)),
                            of_column = dependent(matrix_.function(matrix_.column(k)));
      if (of_row == 0 && of_column == 0) continue;
      for (std::size_t v = 0; v < width; ++v) {
        const auto a = static_cast<int>(width == 9 ? v / 3 : v), b = static_cast<int>(v % 3);
        if (is_held(of_row, a) || is_held(of_column, b)) blocks[width * k + v] = 0;
      }
    }
}

}  // namespace brisance::dynamics
