/// A planned crack with its final ids: the message to every rank that holds an element it touches.
#pragma once

#include "brisance/core/byte_stream.hpp"

#include "node_splits.hpp"

#include <vector>

namespace brisance::fracture {

struct CutMessage {
  NodeSplit split;
  double ready_time_s = 0;  ///< of the node and its copies
  struct Edge {
    GlobalNode a, b, created;
    std::int32_t owner = 0;  ///< of the created node: the owner of a
    double t = 0;
    std::vector<std::pair<GlobalElement, GlobalElement>> children;
  };
  std::vector<Edge> edges;
  std::vector<std::pair<GlobalNode, double>> front;  ///< node, time before which it may not fail [s]
};

inline void pack(core::ByteWriter& out, const CutMessage& cut) {
  pack(out, cut.split);
  out.put(cut.ready_time_s);
  out.put(static_cast<std::int64_t>(cut.edges.size()));
  for (const auto& e : cut.edges) {
    out.put(e.a);
    out.put(e.b);
    out.put(e.created);
    out.put(e.owner);
    out.put(e.t);
    out.put_all(e.children);
  }
  out.put_all(cut.front);
}

inline CutMessage unpack(core::ByteReader& in) {
  CutMessage cut;
  cut.split = unpack_node_split(in);
  cut.ready_time_s = in.get<double>();
  cut.edges.resize(static_cast<std::size_t>(in.get<std::int64_t>()));
  for (auto& e : cut.edges) {
    e.a = in.get<GlobalNode>();
    e.b = in.get<GlobalNode>();
    e.created = in.get<GlobalNode>();
    e.owner = in.get<std::int32_t>();
    e.t = in.get<double>();
    e.children = in.get_all<std::pair<GlobalElement, GlobalElement>>();
  }
  cut.front = in.get_all<std::pair<GlobalNode, double>>();
  return cut;
}

}  // namespace brisance::fracture
