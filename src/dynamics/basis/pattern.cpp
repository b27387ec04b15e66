/// The pattern of an assembly's matrix, and the terms of nodes, which do not turn.
#include "brisance/core/rounded_sums.hpp"

#include "assembly.hpp"
#include "dynamics/lattice_parts.hpp"

#include <algorithm>
#include <set>

namespace brisance::dynamics {

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
    if (mesh.is_owned(LocalNode(i))) lists.lists.insert(chosen_);
  }
  sort_unique(moving);
  matrix_ = FunctionMatrix(mesh.comm(), functions_.owners(), lists.pairs(), moving, functions_.ends());

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
    if (!mesh.is_owned(LocalNode(i))) continue;
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

}  // namespace brisance::dynamics
