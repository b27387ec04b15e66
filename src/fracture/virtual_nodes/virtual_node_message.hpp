/// A crack between tets that stay whole, with its final ids: the message to every rank that holds a copy of a tet it
/// changes.
#pragma once

#include "brisance/core/byte_stream.hpp"
#include "brisance/core/ids.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::fracture {

struct VirtualNodeMessage {
  /// A block of a tet that is divided; the copy of the block is copied.
  struct Split {
    GlobalElement tet, original, copy;
    std::int32_t block = 0, copy_block = 0;  ///< lowest vertex of the block, and then of the copy's part
    std::uint64_t second = 0;                ///< bits of the vertices that leave the block
  };
  /// An edge that this crack places: at (1 − t) low + t high.
  struct Edge {
    GlobalNode low, high;
    double t = 0;
  };
  /// A face that is cut for the first time: the edges opposite these of its vertices, in ascending id, are cut (bits).
  struct FirstCutFace {
    std::array<GlobalNode, 3> vertices;
    std::uint64_t opposite = 0;
  };
  GlobalNode node;
  std::array<double, 3> rest{};  ///< of the node [m]
  double time_s = 0, ready_time_s = 0, crack_speed_m_per_s = 0;
  std::vector<Split> splits;
  std::vector<Edge> edges;
  std::vector<FirstCutFace> faces;
  std::vector<GlobalElement> elements;  ///< all copies of tets around an edge that this crack separates somewhere
};

inline void pack(core::ByteWriter& out, const VirtualNodeMessage& cut) {
  out.put(cut.node);
  out.put(cut.rest);
  out.put(cut.time_s);
  out.put(cut.ready_time_s);
  out.put(cut.crack_speed_m_per_s);
  out.put_all(cut.splits);
  out.put_all(cut.edges);
  out.put_all(cut.faces);
  out.put_all(cut.elements);
}

[[nodiscard]] inline VirtualNodeMessage unpack_virtual_node_message(core::ByteReader& in) {
  VirtualNodeMessage cut;
  cut.node = in.get<GlobalNode>();
  cut.rest = in.get<std::array<double, 3>>();
  cut.time_s = in.get<double>();
  cut.ready_time_s = in.get<double>();
  cut.crack_speed_m_per_s = in.get<double>();
  cut.splits = in.get_all<VirtualNodeMessage::Split>();
  cut.edges = in.get_all<VirtualNodeMessage::Edge>();
  cut.faces = in.get_all<VirtualNodeMessage::FirstCutFace>();
  cut.elements = in.get_all<GlobalElement>();
  return cut;
}

}  // namespace brisance::fracture
