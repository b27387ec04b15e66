/// The cells of an assembly: which tets they gather, and the sums of their terms at rest.
#include "brisance/dist/home_elements.hpp"
#include "brisance/dist/pieces.hpp"

#include "assembly.hpp"
#include "rest_terms.hpp"

#include <algorithm>
#include <tuple>

namespace brisance::dynamics {

namespace {

/// A block of Pᵀ K P of one tet is at most so many times the largest entry of K: 16 pairs of corners with weights up to
/// 1, and a rotation of the block.
constexpr double kTerms = 48;

template <class T>
void sort_unique(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

std::uint64_t pair_of(std::int32_t row, std::int32_t column) {
  return static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint64_t>(column);
}

}  // namespace

/// Cells of all ranks and their functions, and this rank's tets in them.
struct ReducedSystem::Assembly::Plan {
  struct Part {  ///< of one rank
    Key key;
    std::int32_t rank;
    std::int64_t lowest;  ///< id of an element
    double count, stiffness, damping, mass;
  };
  struct Tet {
    Key key;
    std::int32_t slot;
    auto operator<=>(const Tet&) const = default;
  };
  std::vector<Tet> tets;    ///< of this rank, ascending
  std::vector<Part> cells;  ///< of all ranks, ascending; rank: that of the element with the lowest id
  std::vector<bool> is_shared;
  std::vector<std::size_t> first{0};
  std::vector<std::int32_t> functions;

  [[nodiscard]] std::span<const std::int32_t> functions_of_cell(std::size_t cell) const {
    return std::span(functions).subspan(first[cell], first[cell + 1] - first[cell]);
  }
  [[nodiscard]] std::size_t index(const Key& key) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(cells, key, {}, &Part::key) - cells.begin());
  }
};

ReducedSystem::Assembly::Assembly(const dist::Mesh& mesh, const BasisGrid& grid, const Functions& functions,
                                  std::span<const ConstrainedAxes> held)
    : functions_(functions),
      held_(held),
      home_(dist::home_elements(mesh)),
      terms_(static_cast<std::size_t>(functions.count())) {
  for (const material::Material& m : mesh.materials)
    is_damped_ = is_damped_ || m.damping_phi != 0 || m.damping_psi != 0;
  Plan plan;
  sort_tets(mesh, grid, plan);
  announce_cells(mesh, plan);
  make_pattern(mesh, plan);
  sum_cells(mesh, plan);
  find_bounds(mesh);
}

/// A tet belongs to the lowest of the cells that hold its corners, on the finest level at any of them.
void ReducedSystem::Assembly::sort_tets(const dist::Mesh& mesh, const BasisGrid& grid, Plan& plan) {
  const dist::Pieces pieces = dist::find_pieces(mesh);
  for (const std::int32_t slot : home_) {
    const auto corners = mesh.corners(LocalElement(slot));
    bool is_loose = false;
    int level = 0;
    for (const LocalNode n : corners) {
      const auto s = static_cast<std::size_t>(n.value);
      is_loose = is_loose || functions_.is_free(s) || held_[s] != 0;
      level = std::max<int>(level, functions_.finest(s));
    }
    if (is_loose) {
      loose_.push_back(slot);
      continue;
    }
    std::array<std::int32_t, 3> cell = grid.place(mesh.rest[corners[0]], level).cell;
    for (const LocalNode n : corners) {
      const auto other = grid.place(mesh.rest[n], level).cell;
      for (std::size_t k = 0; k < 3; ++k) cell[k] = std::min(cell[k], other[k]);
    }
    plan.tets.push_back({{pieces.of_node[corners[0]], level, cell[2], cell[1], cell[0]}, slot});
  }
  std::sort(plan.tets.begin(), plan.tets.end());
}

/// Makes the list of all ranks' cells and of their functions. Collective.
void ReducedSystem::Assembly::announce_cells(const dist::Mesh& mesh, Plan& plan) const {
  std::vector<Plan::Part> parts;
  for (const Plan::Tet& tet : plan.tets) {
    const LocalElement e(tet.slot);
    if (parts.empty() || parts.back().key != tet.key)
      parts.push_back({tet.key, mesh.comm().rank(), mesh.element_id[e].value, 0, 0, 0, 0});
    Plan::Part& part = parts.back();
    part.lowest = std::min(part.lowest, mesh.element_id[e].value);
    part.count += 1;
    part.stiffness = std::max(part.stiffness, at_rest(mesh, e, kStiffness).cwiseAbs().maxCoeff());
    if (is_damped_) part.damping = std::max(part.damping, at_rest(mesh, e, kDamping).cwiseAbs().maxCoeff());
    part.mass = std::max(part.mass, corner_mass(mesh, e));
  }
  parts = mesh.comm().all_gather(std::span<const Plan::Part>(parts));
  std::ranges::sort(parts, [](const Plan::Part& a, const Plan::Part& b) {
    return std::tie(a.key, a.lowest) < std::tie(b.key, b.lowest);
  });
  for (const Plan::Part& part : parts) {
    if (plan.cells.empty() || plan.cells.back().key != part.key) {
      plan.cells.push_back(part);
      plan.is_shared.push_back(false);
      continue;
    }
    Plan::Part& cell = plan.cells.back();
    plan.is_shared.back() = true;
    cell.count += part.count;
    cell.stiffness = std::max(cell.stiffness, part.stiffness);
    cell.damping = std::max(cell.damping, part.damping);
    cell.mass = std::max(cell.mass, part.mass);
  }
  std::vector<std::uint64_t> pairs;
  for (const Plan::Tet& tet : plan.tets) {
    const auto cell = static_cast<std::int32_t>(plan.index(tet.key));
    for (const auto& of_corner : links(mesh, LocalElement(tet.slot)))
      for (const Functions::Link& link : of_corner) pairs.push_back(pair_of(cell, link.function));
    if (pairs.size() > (std::size_t{1} << 22)) sort_unique(pairs);
  }
  sort_unique(pairs);
  pairs = mesh.comm().all_gather(std::span<const std::uint64_t>(pairs));
  sort_unique(pairs);
  std::size_t next = 0;
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    for (; next < pairs.size() && pairs[next] >> 32 == cell; ++next)
      plan.functions.push_back(static_cast<std::int32_t>(pairs[next] & 0xffffffffU));
    plan.first.push_back(plan.functions.size());
  }
}

/// All functions of a cell are coupled, and those that move a loose tet. Collective.
void ReducedSystem::Assembly::make_pattern(const dist::Mesh& mesh, const Plan& plan) {
  std::vector<std::uint64_t> pairs;
  const auto add_all = [&](std::span<const std::int32_t> functions) {
    for (std::size_t i = 0; i < functions.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) pairs.push_back(pair_of(functions[i], functions[j]));
    if (pairs.size() > (std::size_t{1} << 23)) sort_unique(pairs);
  };
  for (const std::int32_t slot : loose_) {
    functions_of(links(mesh, LocalElement(slot)), chosen_);
    add_all(chosen_);
  }
  sort_unique(pairs);
  pairs = mesh.comm().all_gather(std::span<const std::uint64_t>(pairs));
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) add_all(plan.functions_of_cell(cell));
  sort_unique(pairs);
  matrix_ = SymmetricMatrix(static_cast<std::size_t>(functions_.count()), pairs);
}

/// Adds up the tets of each cell, on the rank of its lowest tet. Collective.
void ReducedSystem::Assembly::sum_cells(const dist::Mesh& mesh, const Plan& plan) {
  std::vector<double> shared;
  std::size_t next = 0;
  for (std::size_t c = 0; c < plan.cells.size(); ++c) {
    const Plan::Part& part = plan.cells[c];
    std::size_t end = next;
    while (end < plan.tets.size() && plan.tets[end].key == part.key) ++end;
    if (!plan.is_shared[c] && end == next) continue;
    const auto functions = plan.functions_of_cell(c);
    const std::size_t pairs = num_pairs(functions.size());
    Cell cell{LocalElement(-1), {functions.begin(), functions.end()}, {}, {}, {}, {}};
    cell.stiffness.assign(9 * pairs, 0);
    cell.damping.assign(is_damped_ ? 9 * pairs : 0, 0);
    cell.mass.assign(pairs, 0);
    terms_.choose(functions);
    const core::Quantum of_stiffness(kTerms * part.stiffness * part.count),
        of_damping(kTerms * part.damping * part.count), of_mass(kTerms * part.mass * part.count);
    for (; next < end; ++next) {
      const LocalElement e(plan.tets[next].slot);
      const CornerLinks here = links(mesh, e);
      terms_.add_stiffness(at_rest(mesh, e, kStiffness), here, cell.stiffness, &of_stiffness);
      if (is_damped_) terms_.add_stiffness(at_rest(mesh, e, kDamping), here, cell.damping, &of_damping);
      terms_.add_mass(corner_mass(mesh, e), here, cell.mass, of_mass);
    }
    if (plan.is_shared[c])
      for (auto* const values : {&cell.stiffness, &cell.damping, &cell.mass})
        shared.insert(shared.end(), values->begin(), values->end());
    cell.turns = part.rank == mesh.comm().rank() ? mesh.find(GlobalElement(part.lowest)) : LocalElement(-1);
    cells_.push_back(std::move(cell));
    if (!plan.is_shared[c]) continue;
    cells_.back().places.assign(1, 0);  // marks shared cells until their sums are complete
  }
  core::sum_rounded(mesh.comm(), shared);
  auto from = shared.begin();
  for (Cell& cell : cells_) {
    if (cell.places.empty()) continue;
    for (auto* const values : {&cell.stiffness, &cell.damping, &cell.mass}) {
      std::copy_n(from, values->size(), values->begin());
      from += static_cast<std::ptrdiff_t>(values->size());
    }
  }
  std::erase_if(cells_, [](const Cell& cell) { return cell.turns.value < 0; });
  for (Cell& cell : cells_) {
    cell.places.resize(num_pairs(cell.functions.size()));
    for (std::size_t i = 0; i < cell.functions.size(); ++i)
      matrix_.find(static_cast<std::size_t>(cell.functions[i]), std::span(cell.functions).first(i + 1),
                   std::span(cell.places).subspan(pair_index(i, 0), i + 1));
  }
}

}  // namespace brisance::dynamics
