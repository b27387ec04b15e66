/// Exchange of records with new holders: used by distribute and migrate.
#pragma once

#include "brisance/core/byte_stream.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace brisance::dist {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// Sends each rank its records, freeing them meanwhile, and returns those received from all senders; a rank's own
/// records stay as they are. Collective.
[[nodiscard]] inline Records exchange_records(const core::Comm& comm, std::map<int, Records>&& outgoing) {
  Records received;
  if (const auto own = outgoing.find(comm.rank()); own != outgoing.end()) {
    received = std::move(own->second);
    outgoing.erase(own);
  }
  std::map<int, std::vector<std::byte>> packed;
  for (auto& [rank, records] : outgoing) {
    core::ByteWriter out;
    out.put_all(records.nodes);
    out.put_all(records.node_fields);
    out.put_all(records.elements);
    out.put_all(records.element_fields);
    packed[rank] = std::move(out.bytes());
    records = {};
  }
  for (const la::Message& message : la::sparse_exchange(comm, std::move(packed))) {
    core::ByteReader in(message.bytes);
    append(received.nodes, in.get_all<NodeRecord>());
    append(received.node_fields, in.get_all<std::byte>());
    append(received.elements, in.get_all<ElementRecord>());
    append(received.element_fields, in.get_all<std::byte>());
  }
  return received;
}

/// Entries and their rows of fields, sorted by ascending id, without duplicates.
template <class Record>
void sort_by_id(std::vector<Record>& records, std::vector<std::byte>& rows) {
  if (records.empty()) return;
  const std::size_t bytes = rows.size() / records.size();
  std::vector<std::size_t> order(records.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return records[i].id < records[j].id; });
  order.erase(std::unique(order.begin(), order.end(), [&](auto i, auto j) { return records[i].id == records[j].id; }),
              order.end());
  std::vector<Record> sorted;
  std::vector<std::byte> sorted_rows;
  sorted.reserve(order.size());
  sorted_rows.reserve(order.size() * bytes);
  for (const std::size_t i : order) {
    sorted.push_back(records[i]);
    const auto row = rows.begin() + static_cast<std::ptrdiff_t>(i * bytes);
    sorted_rows.insert(sorted_rows.end(), row, row + static_cast<std::ptrdiff_t>(bytes));
  }
  records = std::move(sorted);
  rows = std::move(sorted_rows);
}

inline void sort_by_id(Records& records) {
  sort_by_id(records.nodes, records.node_fields);
  sort_by_id(records.elements, records.element_fields);
}

}  // namespace brisance::dist
