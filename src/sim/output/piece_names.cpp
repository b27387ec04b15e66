#include "piece_names.hpp"

#include "brisance/dist/home_elements.hpp"
#include "brisance/sim/fields.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <span>

namespace brisance::sim {

namespace {

/// Elements of a piece that were part of another one in the frame before.
struct Origin {
  std::int32_t piece;
  io::PieceName before;
  std::int64_t num_elements;
};

/// The piece of the frame before that most elements of each piece belonged to; of equals the one of lowest id.
/// Collective.
std::vector<io::PieceName> names_before(const dist::Mesh& mesh, const dist::Pieces& pieces) {
  const auto& id = mesh.field(kPieceId);
  const auto& parent = mesh.field(kPieceParent);
  std::map<std::array<std::int32_t, 3>, std::int64_t> count;
  for (const std::int32_t i : dist::home_elements(mesh)) {
    const LocalElement e(i);
    ++count[{pieces.of_node[mesh.corners(e)[0]], id[e], parent[e]}];
  }
  std::vector<Origin> here;
  for (const auto& [row, number] : count) here.push_back({row[0], {row[1], row[2]}, number});
  count.clear();
  for (const Origin& o : mesh.comm().all_gather(std::span<const Origin>(here)))
    count[{o.piece, o.before.id, o.before.parent}] += o.num_elements;
  std::vector<io::PieceName> before(pieces.list.size(), io::PieceName{});
  std::vector<std::int64_t> most(pieces.list.size(), 0);
  for (const auto& [row, number] : count) {
    const auto piece = static_cast<std::size_t>(row[0]);
    if (number > most[piece]) most[piece] = number, before[piece] = {row[1], row[2]};
  }
  return before;
}

}  // namespace

std::vector<io::PieceName> name_pieces(dist::Mesh& mesh, const dist::Pieces& pieces, std::int64_t& num_names) {
  std::vector<io::PieceName> names = names_before(mesh, pieces);
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t p) { return pieces.list[p].mass; });
  std::set<std::int32_t> taken;
  for (const std::size_t p : order)
    if (names[p].id == io::PieceName{}.id || !taken.insert(names[p].id).second)
      names[p] = {static_cast<std::int32_t>(num_names++), names[p].id};
  auto& id = mesh.field(kPieceId);
  auto& parent = mesh.field(kPieceParent);
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e)) continue;
    const io::PieceName& name = names[static_cast<std::size_t>(pieces.of_node[mesh.corners(e)[0]])];
    id[e] = name.id;
    parent[e] = name.parent;
  }
  return names;
}

void forget_names(dist::Mesh& mesh) {
  std::ranges::fill(mesh.field(kPieceId).span(), kPieceId.initial);
  std::ranges::fill(mesh.field(kPieceParent).span(), kPieceParent.initial);
}

}  // namespace brisance::sim
