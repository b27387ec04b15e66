/// Redistributes a body from blocks of a file to parts of space.
#include "brisance/modes/body/divided_body.hpp"

#include "brisance/core/blocks.hpp"
#include "brisance/core/error.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include "modes/body/hilbert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace brisance::modes {

namespace {

using la::exchange_arrays;

/// A cell in a message: triangles leave the last corner unused.
struct CellRecord {
  std::int32_t id, region;
  std::array<std::int32_t, 4> corner;
};

std::vector<PetscInt> as_rows(const std::vector<std::int32_t>& ids) { return {ids.begin(), ids.end()}; }

/// Sorted, without duplicates.
std::vector<std::int32_t> nodes_of(const std::vector<CellRecord>& cells, int corners) {
  std::vector<std::int32_t> nodes;
  nodes.reserve(cells.size() * corners);
  for (const CellRecord& cell : cells) nodes.insert(nodes.end(), cell.corner.begin(), cell.corner.begin() + corners);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

void sort_by_id(std::vector<CellRecord>& cells) {
  std::sort(cells.begin(), cells.end(), [](const CellRecord& x, const CellRecord& y) { return x.id < y.id; });
}

class Division {
public:
  Division(const core::Comm& comm, const Simplices& block, std::span<const std::int32_t> region);

  [[nodiscard]] DividedBody result();

private:
  [[nodiscard]] std::vector<Vec3> positions(const std::vector<std::int32_t>& nodes) const;
  [[nodiscard]] std::vector<std::uint64_t> keys(const std::vector<CellRecord>& cells) const;
  void move_to_owners(std::vector<CellRecord> cells);
  void find_sharers();
  void copy_to_sharers();
  void number(DividedBody& body) const;
  void add_mesh(DividedBody& body) const;
  void add_faces(DividedBody& body) const;
  [[nodiscard]] la::RowForest block_forest(std::int64_t num_rows, const std::vector<std::int32_t>& held) const;

  core::Comm comm_;
  const Simplices& block_;
  std::int64_t num_cells_, num_nodes_;
  std::vector<CellRecord> own_, copies_;
  std::vector<std::int32_t> touched_;               ///< nodes of own cells, ascending
  std::vector<std::vector<std::int32_t>> sharers_;  ///< for each of them the ranks that own cells there, ascending
};

Division::Division(const core::Comm& comm, const Simplices& block, std::span<const std::int32_t> region)
    : comm_(comm),
      block_(block),
      num_cells_(comm.sum(block.num_cells())),
      num_nodes_(comm.sum(static_cast<std::int64_t>(block.nodes.size()))) {
  const std::int64_t first = core::block_of(num_cells_, comm.rank(), comm.size()).first;
  std::vector<CellRecord> cells;
  cells.reserve(block.num_cells());
  for (std::int32_t c = 0; c < block.num_cells(); ++c) {
    CellRecord cell{static_cast<std::int32_t>(first + c), region.empty() ? 0 : region[c], {}};
    std::copy_n(block.cell(c).begin(), block.corners_per_cell, cell.corner.begin());
    cells.push_back(cell);
  }
  move_to_owners(std::move(cells));
  find_sharers();
  copy_to_sharers();
}

la::RowForest Division::block_forest(std::int64_t num_rows, const std::vector<std::int32_t>& held) const {
  return {comm_, static_cast<std::size_t>(core::block_of(num_rows, comm_.rank(), comm_.size()).count), as_rows(held)};
}

std::vector<Vec3> Division::positions(const std::vector<std::int32_t>& nodes) const {
  return block_forest(num_nodes_, nodes).fetch(block_.nodes);
}

std::vector<std::uint64_t> Division::keys(const std::vector<CellRecord>& cells) const {
  const std::vector<std::int32_t> nodes = nodes_of(cells, block_.corners_per_cell);
  const std::vector<Vec3> x = positions(nodes);
  Vec3 low = Vec3::Constant(HUGE_VAL), high = -low;
  for (const Vec3& v : x) {  // nodes without cells may be far away
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = comm_.min(low[axis]);
    high[axis] = comm_.max(high[axis]);
  }
  const double scale = 1 / std::max((high - low).maxCoeff(), std::numeric_limits<double>::min());
  std::vector<std::uint64_t> keys;
  keys.reserve(cells.size());
  for (const CellRecord& cell : cells) {
    Vec3 centre = Vec3::Zero();
    for (int k = 0; k < block_.corners_per_cell; ++k)
      centre += x[std::lower_bound(nodes.begin(), nodes.end(), cell.corner[k]) - nodes.begin()];
    keys.push_back(hilbert_key((centre / block_.corners_per_cell - low) * scale));
  }
  return keys;
}

/// Sends cells to the ranks whose intervals on the curve contain them; the intervals are determined from samples.
void Division::move_to_owners(std::vector<CellRecord> cells) {
  constexpr std::size_t kSamples = 1024;  // for each rank: numbers of own cells differ by about one in a thousand
  const std::vector<std::uint64_t> key = keys(cells);
  std::vector<std::uint64_t> sorted = key, samples;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t count = std::min(kSamples, sorted.size());
  for (std::size_t k = 0; k < count; ++k) samples.push_back(sorted[k * sorted.size() / count]);
  samples = comm_.all_gather(std::span<const std::uint64_t>(samples));
  std::sort(samples.begin(), samples.end());
  std::vector<std::uint64_t> begin;  // start of each rank's interval but the first
  for (int r = 1; r < comm_.size() && !samples.empty(); ++r)
    begin.push_back(samples[samples.size() * r / comm_.size()]);
  std::map<int, std::vector<CellRecord>> outgoing;
  for (std::size_t c = 0; c < cells.size(); ++c)
    outgoing[static_cast<int>(std::upper_bound(begin.begin(), begin.end(), key[c]) - begin.begin())].push_back(
        cells[c]);
  for (const auto& [rank, arrived] : exchange_arrays(comm_, outgoing))
    own_.insert(own_.end(), arrived.begin(), arrived.end());
  sort_by_id(own_);
}

/// Collects, on the rank of a node's block, the ranks with cells at the node, and sends each of them the list.
void Division::find_sharers() {
  touched_ = nodes_of(own_, block_.corners_per_cell);
  std::map<int, std::vector<std::int32_t>> questions;
  for (const std::int32_t node : touched_) questions[core::rank_of_row(num_nodes_, node, comm_.size())].push_back(node);
  const core::Block block = core::block_of(num_nodes_, comm_.rank(), comm_.size());
  std::vector<std::vector<std::int32_t>> ranks_at(block.count);
  const auto asked = exchange_arrays(comm_, questions);
  for (const auto& [rank, nodes] : asked)
    for (const std::int32_t node : nodes) ranks_at[node - block.first].push_back(rank);
  std::map<int, std::vector<std::int32_t>> answers;  // for each requested node: number of ranks, ranks
  for (const auto& [rank, nodes] : asked)
    for (const std::int32_t node : nodes) {
      const auto& ranks = ranks_at[node - block.first];
      answers[rank].push_back(static_cast<std::int32_t>(ranks.size()));
      answers[rank].insert(answers[rank].end(), ranks.begin(), ranks.end());
    }
  for (const auto& [rank, answer] : exchange_arrays(comm_, answers))  // blocks ascend with ranks, and so do nodes
    for (auto next = answer.begin(); next != answer.end();) {
      const std::int32_t count = *next++;
      sharers_.emplace_back(next, next + count);
      next += count;
    }
}

void Division::copy_to_sharers() {
  std::map<int, std::vector<CellRecord>> outgoing;
  for (const CellRecord& cell : own_) {
    std::set<std::int32_t> ranks;
    for (int k = 0; k < block_.corners_per_cell; ++k) {
      const auto node = std::lower_bound(touched_.begin(), touched_.end(), cell.corner[k]) - touched_.begin();
      ranks.insert(sharers_[node].begin(), sharers_[node].end());
    }
    for (const std::int32_t rank : ranks)
      if (rank != comm_.rank()) outgoing[rank].push_back(cell);
  }
  for (const auto& [rank, arrived] : exchange_arrays(comm_, outgoing))
    copies_.insert(copies_.end(), arrived.begin(), arrived.end());
}

/// Adds the local cells and nodes in the body's order.
void Division::add_mesh(DividedBody& body) const {
  std::vector<CellRecord> cells = own_;
  cells.insert(cells.end(), copies_.begin(), copies_.end());
  sort_by_id(cells);
  body.node_id = nodes_of(cells, block_.corners_per_cell);
  Simplices& mesh = body.local.mesh;
  mesh.corners_per_cell = block_.corners_per_cell;
  mesh.nodes = positions(body.node_id);
  auto own = own_.begin();
  for (const CellRecord& cell : cells) {
    if (own != own_.end() && own->id == cell.id) {
      body.own_cells.push_back(static_cast<std::int32_t>(body.cell_id.size()));
      ++own;
    }
    body.cell_id.push_back(cell.id);
    body.region.push_back(cell.region);
    for (int k = 0; k < mesh.corners_per_cell; ++k)
      mesh.corner.push_back(static_cast<std::int32_t>(
          std::lower_bound(body.node_id.begin(), body.node_id.end(), cell.corner[k]) - body.node_id.begin()));
  }
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    const auto& sharers = sharers_[i];
    if (sharers[touched_[i] % sharers.size()] != comm_.rank()) continue;
    body.own_nodes.push_back(static_cast<std::int32_t>(
        std::lower_bound(body.node_id.begin(), body.node_id.end(), touched_[i]) - body.node_id.begin()));
  }
}

/// Numbers own rows from first_row on, and sends the numbers to all copies through the blocks of `num_rows`.
/// @param id   the body's numbers of local entities
/// @return numbers of local entities
std::vector<PetscInt> shared_numbers(const core::Comm& comm, const la::RowForest& own_block, std::size_t num_own,
                                     const la::RowForest& local_block) {
  std::vector<PetscInt> mine(num_own);
  std::iota(mine.begin(), mine.end(),
            static_cast<PetscInt>(core::rows_before(comm, static_cast<std::int64_t>(num_own))));
  return local_block.fetch(own_block.store(mine));
}

void Division::number(DividedBody& body) const {
  body.cell_block = block_forest(num_cells_, DividedBody::pick(body.cell_id, body.own_cells));
  body.cell_number =
      shared_numbers(comm_, body.cell_block, body.own_cells.size(), block_forest(num_cells_, body.cell_id));
  body.cells = {comm_, body.own_cells.size(), body.cell_number};
  body.node_block = block_forest(num_nodes_, DividedBody::pick(body.node_id, body.own_nodes));
  body.node_number =
      shared_numbers(comm_, body.node_block, body.own_nodes.size(), block_forest(num_nodes_, body.node_id));
  body.nodes = {comm_, body.own_nodes.size(), body.node_number};
}

/// Faces of the body are numbered by their lower cells.
void Division::add_faces(DividedBody& body) const {
  const CellGraph& graph = body.local.graph;
  std::vector<bool> is_own(body.cell_id.size(), false);
  for (const std::int32_t c : body.own_cells) is_own[c] = true;
  for (std::size_t f = 0; f < graph.faces.size(); ++f)
    if (is_own[graph.faces[f].a]) body.own_faces.push_back(static_cast<std::int32_t>(f));
  body.num_faces = comm_.sum(static_cast<std::int64_t>(body.own_faces.size()));

  std::vector<std::int32_t> num_above(body.cell_id.size(), 0);  // faces of each cell to cells of higher number
  for (const std::int32_t f : body.own_faces) ++num_above[graph.faces[f].a];
  std::vector<std::int32_t> begin = body.cell_block.store(DividedBody::pick(num_above, body.own_cells));
  const auto in_block = std::accumulate(begin.begin(), begin.end(), std::int64_t{0});
  std::exclusive_scan(begin.begin(), begin.end(), begin.begin(),
                      static_cast<std::int32_t>(core::rows_before(comm_, in_block)));
  const std::vector<std::int32_t> own_begin = body.cell_block.fetch(begin);
  std::vector<std::int32_t> id(body.cell_id.size(), 0);  // number of each own cell's next face
  for (std::size_t k = 0; k < own_begin.size(); ++k) id[body.own_cells[k]] = own_begin[k];
  std::vector<std::int32_t> face_id;
  for (const std::int32_t f : body.own_faces) face_id.push_back(id[graph.faces[f].a]++);
  body.face_block = block_forest(body.num_faces, face_id);
}

/// A face by the body's numbers of its cells.
struct FaceName {
  std::int32_t a, b;
};

/// A rank with a copy of a face requests its number from the owner of its lower cell.
std::vector<PetscInt> face_numbers(const DividedBody& body) {
  const CellGraph& graph = body.local.graph;
  const auto num_own = static_cast<std::int64_t>(body.own_faces.size());
  const auto first = static_cast<PetscInt>(core::rows_before(body.comm, num_own));
  std::vector<PetscInt> number(graph.faces.size(), -1);
  for (std::size_t k = 0; k < body.own_faces.size(); ++k) number[body.own_faces[k]] = first + static_cast<PetscInt>(k);

  const std::int64_t end_here = core::rows_before(body.comm, static_cast<std::int64_t>(body.own_cells.size())) +
                                static_cast<std::int64_t>(body.own_cells.size());
  const std::vector<std::int64_t> end = body.comm.all_gather(std::span<const std::int64_t>(&end_here, 1));
  std::map<int, std::vector<FaceName>> questions;
  std::map<int, std::vector<std::int32_t>> asked_for;
  for (std::size_t f = 0; f < graph.faces.size(); ++f) {
    if (number[f] >= 0) continue;
    const Face& face = graph.faces[f];
    const auto rank =
        static_cast<int>(std::upper_bound(end.begin(), end.end(), body.cell_number[face.a]) - end.begin());
    questions[rank].push_back({body.cell_id[face.a], body.cell_id[face.b]});
    asked_for[rank].push_back(static_cast<std::int32_t>(f));
  }
  const auto name = [&](std::int32_t f) {
    return std::pair(body.cell_id[graph.faces[f].a], body.cell_id[graph.faces[f].b]);
  };
  std::map<int, std::vector<PetscInt>> answers;
  for (const auto& [rank, faces] : exchange_arrays(body.comm, questions))
    for (const FaceName& face : faces) {
      const auto found = std::lower_bound(body.own_faces.begin(), body.own_faces.end(), std::pair(face.a, face.b),
                                          [&](std::int32_t f, const auto& wanted) { return name(f) < wanted; });
      answers[rank].push_back(first + static_cast<PetscInt>(found - body.own_faces.begin()));
    }
  for (const auto& [rank, numbers] : exchange_arrays(body.comm, answers))
    for (std::size_t k = 0; k < numbers.size(); ++k) number[asked_for[rank][k]] = numbers[k];
  return number;
}

DividedBody Division::result() {
  DividedBody body;
  body.comm = comm_;
  body.num_cells = num_cells_;
  add_mesh(body);
  core::agree(comm_, [&] { body.local.graph = cell_graph(body.local.mesh, body.cell_id); });
  number(body);
  add_faces(body);
  body.faces = {comm_, body.own_faces.size(), face_numbers(body)};
  return body;
}

}  // namespace

DividedBody divide(const core::Comm& comm, const Simplices& block, std::span<const std::int32_t> region) {
  return Division(comm, block, region).result();
}

Simplices scatter_blocks(const core::Comm& comm, const Simplices& whole) {
  Simplices mine;
  mine.corners_per_cell = comm.max(whole.corners_per_cell * (comm.is_root() ? 1 : 0));
  mine.nodes = core::scatter_blocks(comm, whole.nodes);
  mine.corner = core::scatter_blocks(comm, whole.corner, mine.corners_per_cell);
  return mine;
}

std::vector<PetscInt> joined_cells(const DividedBody& body, std::span<const std::uint8_t> joins) {
  CellGraph joined;  // used for its connected parts only
  joined.volume = body.local.graph.volume;
  for (std::size_t f = 0; f < joins.size(); ++f)
    if (joins[f] != 0) joined.faces.push_back(body.local.graph.faces[f]);
  const std::vector<std::int32_t> part = connected_parts(joined);
  const std::int32_t num_parts = part.empty() ? 0 : 1 + *std::max_element(part.begin(), part.end());
  std::vector<PetscInt> label = body.cell_number;
  for (bool changed = true; changed;) {  // one iteration for each passage of a part between ranks
    std::vector<PetscInt> least(num_parts, std::numeric_limits<PetscInt>::max());
    for (std::size_t c = 0; c < part.size(); ++c) least[part[c]] = std::min(least[part[c]], label[c]);
    std::vector<PetscInt> lowered;
    for (const std::int32_t c : body.own_cells) lowered.push_back(least[part[c]]);
    changed = body.comm.any(lowered != DividedBody::pick(label, body.own_cells));
    label = body.cells.fetch(lowered);
  }
  return label;
}

std::int64_t count_parts(const DividedBody& body) {
  const std::vector<PetscInt> part = joined_cells(body, std::vector<std::uint8_t>(body.local.graph.faces.size(), 1));
  std::int64_t count = 0;
  for (const std::int32_t c : body.own_cells) count += part[c] == body.cell_number[c] ? 1 : 0;
  return body.comm.sum(count);
}

}  // namespace brisance::modes
