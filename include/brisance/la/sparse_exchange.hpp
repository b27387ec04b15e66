/// Variable-size messages between ranks that do not know their lengths in advance, and some not even the senders: the
/// only message code of our own.
#pragma once

#include "brisance/core/byte_stream.hpp"
#include "brisance/core/comm.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace brisance::la {

struct Message {
  int rank;  ///< sender
  std::vector<std::byte> bytes;
};

/// Sends each buffer to its rank and returns the messages received, in ascending rank of the sender; a buffer addressed
/// to the own rank arrives like any other, without a message. Latency: one PetscCommBuildTwoSided and one round of
/// payloads. Collective.
[[nodiscard]] std::vector<Message> sparse_exchange(const core::Comm& comm,
                                                   std::map<int, std::vector<std::byte>> outgoing);

/// The same among ranks that know each other: `outgoing` names only `neighbours`, and the relation is symmetric.
/// Latency: one message, empty where there is nothing to send. Collective among neighbours.
[[nodiscard]] std::vector<Message> neighbour_exchange(const core::Comm& comm, std::span<const int> neighbours,
                                                      std::map<int, std::vector<std::byte>> outgoing);

/// sparse_exchange for records of one kind: the records from each sender. T is trivially copyable. Collective.
template <class T>
[[nodiscard]] std::vector<std::pair<int, std::vector<T>>> exchange_arrays(
    const core::Comm& comm, const std::map<int, std::vector<T>>& outgoing) {
  std::map<int, std::vector<std::byte>> packed;
  for (const auto& [rank, records] : outgoing) {
    core::ByteWriter out;
    out.put_all(records);
    packed[rank] = std::move(out.bytes());
  }
  std::vector<std::pair<int, std::vector<T>>> received;
  for (const Message& message : sparse_exchange(comm, std::move(packed)))
    received.emplace_back(message.rank, core::ByteReader(message.bytes).get_all<T>());
  return received;
}

}  // namespace brisance::la
