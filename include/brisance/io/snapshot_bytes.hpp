/// Size of a frame's file before it is written.
#pragma once

#include "brisance/io/snapshot.hpp"

namespace brisance::io {

/// Size of a frame's uncompressed file [bytes]: columns exactly, the rest as an upper bound. Collective.
[[nodiscard]] std::int64_t snapshot_bytes(const core::Comm& comm, const SnapshotHeader& header,
                                          const SnapshotPart& part);

}  // namespace brisance::io
