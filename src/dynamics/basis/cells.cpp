/// The cells of an assembly: which tets they gather, and the sums over them at rest.
#include "brisance/dist/home_elements.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include "assembly.hpp"
#include "dynamics/lattice_parts.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace brisance::dynamics {

namespace {

constexpr double kRoundedUp = 1.0001;  ///< more than the rounding of bounds and terms

}  // namespace

/// Cells of all ranks, and this rank's tets in them.
struct ReducedSystem::Assembly::Plan {
  struct Part {  ///< of one rank
    Key key;
    std::int32_t rank;
    std::int64_t lowest;  ///< id of an element
    double count, stiffness, damping;
  };
  struct Tet {
    Key key;
    std::int32_t slot;
    auto operator<=>(const Tet&) const = default;
  };
  std::vector<Tet> tets;    ///< of this rank, ascending
  std::vector<Part> cells;  ///< of all ranks, ascending; rank: that of the element with the lowest id
};

ReducedSystem::Assembly::Assembly(const dist::Mesh& mesh, const BasisGrid& grid, const Functions& functions,
                                  std::span<const ConstrainedAxes> held)
    : functions_(functions),
      held_(held),
      home_(dist::home_elements(mesh)),
      terms_(static_cast<std::size_t>(functions.count())),
      place_in_cell_(static_cast<std::size_t>(functions.count()), -1) {
  for (const material::Material& m : mesh.materials)
    is_damped_ = is_damped_ || m.damping_phi != 0 || m.damping_psi != 0;
  std::erase_if(home_, [&](std::int32_t slot) {
    return std::ranges::all_of(mesh.corners(LocalElement(slot)),
                               [&](LocalNode n) { return held[static_cast<std::size_t>(n.value)] == kHeld; });
  });
  Plan plan;
  const dist::Pieces pieces = dist::find_pieces(mesh);
  find_pieces_of_functions(mesh, pieces);
  sort_tets(mesh, grid, pieces, plan);
  announce_cells(mesh, plan);
  sum_cells(mesh, plan);
  join_cells(mesh, plan);
  make_pattern(mesh);
  find_masses(mesh);
  find_dependent(mesh.comm());
  find_bounds(mesh);
}

/// Collective.
void ReducedSystem::Assembly::find_pieces_of_functions(const dist::Mesh& mesh, const dist::Pieces& pieces) {
  num_pieces_ = pieces.list.size();
  piece_of_function_.assign(static_cast<std::size_t>(functions_.num_coarse()), 0);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    if (!mesh.is_owned(LocalNode(i))) continue;
    for (const Functions::Link& link : functions_.in_direct_solution(static_cast<std::size_t>(i)))
      piece_of_function_[static_cast<std::size_t>(link.function)] = pieces.of_node[LocalNode(i)];
  }
  la::check(MPI_Allreduce(MPI_IN_PLACE, piece_of_function_.data(), functions_.num_coarse(), MPI_INT32_T, MPI_MAX,
                          mesh.comm().raw()),
            "MPI_Allreduce");
}

/// A tet belongs to the lowest of the cells that hold its corners, on the finest level at any of them.
void ReducedSystem::Assembly::sort_tets(const dist::Mesh& mesh, const BasisGrid& grid, const dist::Pieces& pieces,
                                        Plan& plan) {
  for (const std::int32_t slot : home_) {
    const LocalElement e(slot);
    const auto corners = mesh.corners(e);
    bool is_loose = material::is_anisotropic(mesh.material(e));
    int level = 0;
    for (const LocalNode n : corners) {
      const auto s = static_cast<std::size_t>(n.value);
      is_loose = is_loose || functions_.is_free(s) || held_[s] != 0;
      level = std::max<int>(level, functions_.finest(s));
    }
    if (is_loose) {
      loose_.push_back(slot);
      piece_of_loose_.push_back(pieces.of_node[corners[0]]);
      continue;
    }
    std::array<std::int32_t, 3> cell = grid.place(mesh.rest[corners[0]], level).cell;
    for (const LocalNode n : corners) {
      const auto other = grid.place(mesh.rest[n], level).cell;
      for (std::size_t k = 0; k < 3; ++k) cell[k] = std::min(cell[k], other[k]);
    }
    plan.tets.push_back(
        {{pieces.of_node[corners[0]], static_cast<std::int32_t>(mesh.material_of[e]), level, cell[2], cell[1], cell[0]},
         slot});
  }
  std::sort(plan.tets.begin(), plan.tets.end());
}

/// Makes the list of all ranks' cells. Collective.
void ReducedSystem::Assembly::announce_cells(const dist::Mesh& mesh, Plan& plan) {
  std::vector<Plan::Part> parts;
  for (const Plan::Tet& tet : plan.tets) {
    const LocalElement e(tet.slot);
    if (parts.empty() || parts.back().key != tet.key)
      parts.push_back({tet.key, mesh.comm().rank(), mesh.element_id[e].value, 0, 0, 0});
    Plan::Part& part = parts.back();
    part.lowest = std::min(part.lowest, mesh.element_id[e].value);
    part.count += 1;
    const dist::ElementBlock& block = mesh.blocks[static_cast<std::size_t>(tet.slot / dist::kBatch)];
    const int lane = tet.slot % dist::kBatch;
    find_gradients(mesh, e);
    double largest = 0;
    for (const Vec3& g : gradients_) largest = std::max(largest, g.squaredNorm());
    const double bound = kRoundedUp * block.volume[lane] * largest;
    part.stiffness = std::max(part.stiffness, bound);
    part.damping = std::max(part.damping, bound * block.damping_scale[lane]);
  }
  parts = mesh.comm().all_gather(std::span<const Plan::Part>(parts));
  std::ranges::sort(parts, [](const Plan::Part& a, const Plan::Part& b) {
    return std::tie(a.key, a.lowest) < std::tie(b.key, b.lowest);
  });
  for (const Plan::Part& part : parts) {
    if (plan.cells.empty() || plan.cells.back().key != part.key) {
      plan.cells.push_back(part);
      continue;
    }
    Plan::Part& cell = plan.cells.back();
    cell.count += part.count;
    cell.stiffness = std::max(cell.stiffness, part.stiffness);
    cell.damping = std::max(cell.damping, part.damping);
  }
}

/// Adds up this rank's tets of each cell. Local.
void ReducedSystem::Assembly::sum_cells(const dist::Mesh& mesh, const Plan& plan) {
  std::size_t number = 0;
  for (std::size_t next = 0, end = 0; next < plan.tets.size(); next = end) {
    const Key key = plan.tets[next].key;
    while (plan.cells[number].key != key) ++number;
    const Plan::Part& part = plan.cells[number];
    Cell cell{static_cast<std::int32_t>(number), key.material, key.piece, part.count, LocalElement(-1), {}, {}, {}, {}};
    for (; end < plan.tets.size() && plan.tets[end].key == key; ++end)
      for (const auto& of_corner : links(mesh, LocalElement(plan.tets[end].slot)))
        for (const Functions::Link& link : of_corner)
          if (std::int32_t& place = place_in_cell_[static_cast<std::size_t>(link.function)]; place < 0) {
            place = 0;
            cell.functions.push_back(link.function);
          }
    std::ranges::sort(cell.functions);
    for (std::size_t i = 0; i < cell.functions.size(); ++i)
      place_in_cell_[static_cast<std::size_t>(cell.functions[i])] = static_cast<std::int32_t>(i);
    cell.stiffness.assign(9 * num_pairs(cell.functions.size()), 0);
    if (is_damped_) cell.damping.assign(cell.stiffness.size(), 0);
    const core::Quantum of_stiffness(part.stiffness * part.count), of_damping(part.damping * part.count);
    for (; next < end; ++next) add_to_cell(mesh, LocalElement(plan.tets[next].slot), of_stiffness, of_damping, cell);
    for (const std::int32_t f : cell.functions) place_in_cell_[static_cast<std::size_t>(f)] = -1;
    if (part.rank == mesh.comm().rank()) cell.turns = mesh.find(GlobalElement(part.lowest));
    cells_.push_back(std::move(cell));
  }
}

void ReducedSystem::Assembly::add_to_cell(const dist::Mesh& mesh, LocalElement e, const core::Quantum& of_stiffness,
                                          const core::Quantum& of_damping, Cell& cell) {
  const dist::ElementBlock& block = mesh.blocks[static_cast<std::size_t>(e.value / dist::kBatch)];
  const int lane = e.value % dist::kBatch;
  const double volume = block.volume[lane], scale = block.damping_scale[lane];
  find_gradients(mesh, e);
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const auto row = static_cast<std::size_t>(place_in_cell_[static_cast<std::size_t>(chosen_[i])]);
    const Vec3 weighted = volume * gradients_[i];
    for (std::size_t j = 0; j <= i; ++j) {
      const std::size_t at =
          9 * pair_index(row, static_cast<std::size_t>(place_in_cell_[static_cast<std::size_t>(chosen_[j])]));
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) {
          const double term = weighted[static_cast<int>(a)] * gradients_[j][static_cast<int>(b)];
          cell.stiffness[at + 3 * a + b] += of_stiffness.rounded(term);
          if (is_damped_) cell.damping[at + 3 * a + b] += of_damping.rounded(scale * term);
        }
    }
  }
}

/// Sends the sums of cells to the rank of their lowest tet, which adds them up. Collective.
void ReducedSystem::Assembly::join_cells(const dist::Mesh& mesh, const Plan& plan) {
  std::map<int, std::vector<double>> outgoing;  // number, functions, and sums of each cell
  for (const Cell& cell : cells_) {
    if (cell.turns.value >= 0) continue;
    std::vector<double>& out = outgoing[plan.cells[static_cast<std::size_t>(cell.number)].rank];
    out.push_back(cell.number);
    out.push_back(static_cast<double>(cell.functions.size()));
    out.insert(out.end(), cell.functions.begin(), cell.functions.end());
    out.insert(out.end(), cell.stiffness.begin(), cell.stiffness.end());
    out.insert(out.end(), cell.damping.begin(), cell.damping.end());
  }
  std::erase_if(cells_, [](const Cell& cell) { return cell.turns.value < 0; });
  const auto add = [&](const std::vector<double>& from, const std::vector<std::size_t>& to_place,
                       std::vector<double>& to) {
    for (std::size_t i = 0, k = 0; i < to_place.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j, ++k)
        for (std::size_t v = 0; v < 9; ++v) to[9 * pair_index(to_place[i], to_place[j]) + v] += from[9 * k + v];
  };
  for (const auto& [rank, in] : la::exchange_arrays(mesh.comm(), outgoing)) {
    for (auto next = in.begin(); next != in.end();) {
      const auto number = static_cast<std::int32_t>(*next++);
      const auto count = static_cast<std::ptrdiff_t>(*next++);
      const auto take = [&](std::ptrdiff_t values) { return std::vector<double>(next, next + values); };
      std::vector<std::int32_t> functions(next, next + count);
      next += count;
      const auto values = static_cast<std::ptrdiff_t>(9 * num_pairs(functions.size()));
      const std::vector<double> stiffness = take(values);
      next += values;
      const std::vector<double> damping = is_damped_ ? take(values) : std::vector<double>();
      if (is_damped_) next += values;

      Cell& cell = *std::ranges::lower_bound(cells_, number, {}, &Cell::number);
      Cell joined = cell;
      joined.functions.insert(joined.functions.end(), functions.begin(), functions.end());
      sort_unique(joined.functions);
      joined.stiffness.assign(9 * num_pairs(joined.functions.size()), 0);
      if (is_damped_) joined.damping.assign(joined.stiffness.size(), 0);
      const auto places = [&](const std::vector<std::int32_t>& of) {
        std::vector<std::size_t> found;
        for (const std::int32_t f : of)
          found.push_back(
              static_cast<std::size_t>(std::ranges::lower_bound(joined.functions, f) - joined.functions.begin()));
        return found;
      };
      const auto of_cell = places(cell.functions), of_part = places(functions);
      add(cell.stiffness, of_cell, joined.stiffness);
      add(stiffness, of_part, joined.stiffness);
      if (is_damped_) {
        add(cell.damping, of_cell, joined.damping);
        add(damping, of_part, joined.damping);
      }
      cell = std::move(joined);
    }
  }
}

}  // namespace brisance::dynamics
