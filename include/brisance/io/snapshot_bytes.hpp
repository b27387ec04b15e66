/// How large the file of a frame will be.
#pragma once

#include "brisance/io/snapshot.hpp"

namespace brisance::io {

/// Of the file of a frame, uncompressed [bytes]: columns exactly, the rest from above. Collective.
[[nodiscard]] std::int64_t snapshot_bytes(const core::Comm& comm, const SnapshotHeader& header,
                                          const SnapshotPart& part);

}  // namespace brisance::io
