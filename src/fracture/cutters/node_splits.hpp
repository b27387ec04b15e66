/// Node splits, which all cutters share: the message, its application with cohesive links, and the splits of front
/// nodes whose star a cut has divided.
#pragma once

#include "brisance/core/byte_stream.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/parameters.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include "fracture/cohesive/cohesive_link_maker.hpp"

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace brisance::fracture {

/// Elements that get a copy of the node, and which.
struct NodeSplit {
  GlobalNode node;
  std::vector<std::pair<GlobalElement, GlobalNode>> assignments;
};

void pack(core::ByteWriter& out, const NodeSplit& split);
[[nodiscard]] NodeSplit unpack_node_split(core::ByteReader& in);

/// The bytes of each writer.
[[nodiscard]] std::map<int, std::vector<std::byte>> bytes_of(std::map<int, core::ByteWriter>&& outgoing);

/// Splits nodes as Mesh::split_node does, on every holder, and makes the cohesive links where the parameters ask for
/// them.
class NodeSplitter {
public:
  explicit NodeSplitter(const Parameters& parameters);
  /// Local.
  void split(dist::Mesh& mesh, const NodeSplit& split);
  /// Completes the links of all splits since the last call. Collective.
  void finish(dist::Mesh& mesh);

private:
  std::optional<CohesiveLinkMaker> links_;  ///< absent without cohesive tractions
};

/// Splits those of the owned nodes whose star is not connected through faces, on all their holders. The part with the
/// lowest element keeps the node; ids of the copies follow a collective numbering by node. Returns how many of this
/// rank's nodes were split. Collective.
/// @param nodes  any nodes; those not owned here are ignored
std::int64_t split_disconnected(dist::Mesh& mesh, const std::vector<GlobalNode>& nodes, NodeSplitter& splitter);

}  // namespace brisance::fracture
