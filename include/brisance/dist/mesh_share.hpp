/// A mesh before it is distributed, with its tets divided over the ranks: for meshes too large for any one rank.
#pragma once

#include "brisance/core/blocks.hpp"
#include "brisance/core/comm.hpp"
#include "brisance/la/sparse_exchange.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace brisance::dist {

/// A rank's share: each tet of the whole is on one rank; a node is on every rank that has a tet of it, and possibly on
/// others. Groups and graded regions are the same on all ranks.
struct MeshShare {
  mesh::TetMesh mesh;                         ///< corners index its own nodes
  std::vector<std::int64_t> node_id, tet_id;  ///< numbers in the whole mesh, from 0 without gaps
  std::int64_t num_nodes = 0, num_tets = 0;   ///< of the whole
};

/// The share of a mesh that rank 0 holds (ignored elsewhere): all of it on rank 0, none elsewhere, numbered as in the
/// mesh, its groups and graded regions on every rank. Collective.
[[nodiscard]] MeshShare share_on_root(const core::Comm& comm, mesh::TetMesh whole);

/// Copies rank 0's groups to every rank. Collective.
void broadcast(const core::Comm& comm, mesh::Groups& groups);

/// Whether rank 0 holds every tet. Collective.
[[nodiscard]] bool is_on_root(const core::Comm& comm, const MeshShare& share);

/// Makes the values that ranks have for a node, indexed by its place in the share, equal: each becomes `join` of all of
/// them, in any order. T is trivially copyable. Collective.
template <class T, class Join>
void join_copies(const core::Comm& comm, const MeshShare& share, std::vector<T>& values, const Join& join) {
  if (is_on_root(comm, share)) return;
  std::map<int, std::vector<std::int64_t>> ids;
  std::map<int, std::vector<T>> given;
  std::map<int, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < share.node_id.size(); ++i) {
    const int rank = core::rank_of_row(share.num_nodes, share.node_id[i], comm.size());
    ids[rank].push_back(share.node_id[i]);
    given[rank].push_back(values[i]);
    places[rank].push_back(i);
  }
  const auto asked = la::exchange_arrays(comm, ids);
  const auto received = la::exchange_arrays(comm, given);
  const core::Block block = core::block_of(share.num_nodes, comm.rank(), comm.size());
  std::vector<T> joined(static_cast<std::size_t>(block.count));
  std::vector<std::uint8_t> known(joined.size(), 0);
  for (std::size_t m = 0; m < asked.size(); ++m)
    for (std::size_t i = 0; i < asked[m].second.size(); ++i) {
      const auto at = static_cast<std::size_t>(asked[m].second[i] - block.first);
      const T& value = received[m].second[i];
      joined[at] = std::exchange(known[at], 1) != 0 ? join(joined[at], value) : value;
    }
  std::map<int, std::vector<T>> answers;
  for (const auto& [rank, wanted] : asked)
    for (const std::int64_t id : wanted) answers[rank].push_back(joined[static_cast<std::size_t>(id - block.first)]);
  for (const auto& [rank, answer] : la::exchange_arrays(comm, answers))
    for (std::size_t i = 0; i < answer.size(); ++i) values[places[rank][i]] = answer[i];
}

}  // namespace brisance::dist
