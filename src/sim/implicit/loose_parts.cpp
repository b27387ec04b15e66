#include "loose_parts.hpp"

#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/pieces.hpp"

#include "sim/setup/mobility.hpp"

namespace brisance::sim {

namespace {

constexpr std::size_t kEntries = 36;  ///< of Mobility::held

/// The constraints of each piece, summed over its nodes on all ranks. Collective.
std::vector<Mobility> mobilities(const dist::Mesh& mesh, const dist::Pieces& pieces,
                                 std::span<const dynamics::ConstrainedAxes> held) {
  const Extent extent = extent_of(mesh.comm(), mesh);
  std::vector<core::ExactSum> entries(kEntries * pieces.list.size());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n) || held[static_cast<std::size_t>(i)] == 0) continue;
    Mobility of_node;
    of_node.hold((Vec3(mesh.motion[n].position) - extent.centre) / extent.length, held[static_cast<std::size_t>(i)]);
    const std::size_t first = kEntries * static_cast<std::size_t>(pieces.of_node[n]);
    for (std::size_t k = 0; k < kEntries; ++k) entries[first + k].add(of_node.held.data()[k]);
  }
  core::ExactSum::reduce(mesh.comm(), entries);
  std::vector<Mobility> of_piece(pieces.list.size());
  for (std::size_t k = 0; k < entries.size(); ++k)
    of_piece[k / kEntries].held.data()[k % kEntries] = entries[k].value();
  return of_piece;
}

}  // namespace

LooseParts find_loose_parts(const dist::Mesh& mesh, std::span<const dynamics::ConstrainedAxes> held) {
  const dist::Pieces pieces = dist::find_pieces(mesh);
  const std::vector<Mobility> of_piece = mobilities(mesh, pieces, held);
  double mass = 0;
  for (const dist::Piece& piece : pieces.list) mass += piece.mass;
  LooseParts parts;
  std::vector<std::uint8_t> loose_piece;
  for (std::size_t p = 0; p < of_piece.size(); ++p) {
    const double share = pieces.list[p].mass / mass;
    loose_piece.push_back(of_piece[p].is_loose() ? 1 : 0);
    parts.num_loose += loose_piece.back();
    parts.loose_share += loose_piece.back() * share;
    parts.num_large += share >= kLargePiece ? 1 : 0;
  }
  parts.is_loose.assign(mesh.node_id.size(), 0);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n))
      parts.is_loose[static_cast<std::size_t>(i)] = loose_piece[static_cast<std::size_t>(pieces.of_node[n])];
  mesh.halo().update_ghosts(std::span(parts.is_loose));
  return parts;
}

}  // namespace brisance::sim
