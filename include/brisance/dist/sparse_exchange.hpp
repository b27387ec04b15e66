/// Variable-size messages between ranks that do not know who will write to them: the only message code of our own.
#pragma once

#include "brisance/core/comm.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace brisance::dist {

struct Message {
  int rank;  ///< sender
  std::vector<std::byte> bytes;
};

/// Sends each buffer to its rank and returns what arrived, in ascending rank of the sender; a buffer addressed to
/// oneself arrives like any other, without a message. Latency: one PetscCommBuildTwoSided and one round of payloads.
/// Collective.
[[nodiscard]] std::vector<Message> sparse_exchange(const core::Comm& comm,
                                                   std::map<int, std::vector<std::byte>> outgoing);

}  // namespace brisance::dist
