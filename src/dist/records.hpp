/// Records on their way to new holders: used by distribute and migrate.
#pragma once

#include "brisance/core/byte_stream.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/dist/sparse_exchange.hpp"

#include <map>
#include <vector>

namespace brisance::dist {

struct Records {
  std::vector<NodeRecord> nodes;
  std::vector<ElementRecord> elements;
};

/// Sends each rank its records and returns those that arrived, from all senders. Collective.
[[nodiscard]] inline Records exchange_records(const core::Comm& comm, std::map<int, Records> outgoing) {
  std::map<int, std::vector<std::byte>> packed;
  for (auto& [rank, records] : outgoing) {
    core::ByteWriter out;
    out.put_all(records.nodes);
    out.put_all(records.elements);
    packed[rank] = std::move(out.bytes());
    records = {};
  }
  Records received;
  for (const Message& message : sparse_exchange(comm, std::move(packed))) {
    core::ByteReader in(message.bytes);
    for (const auto& n : in.get_all<NodeRecord>()) received.nodes.push_back(n);
    for (const auto& e : in.get_all<ElementRecord>()) received.elements.push_back(e);
  }
  return received;
}

}  // namespace brisance::dist
