/// Lasting numbers for pieces.
#pragma once

#include "brisance/io/snapshot.hpp"

#include <cstdint>
#include <vector>

namespace brisance::render {

/// Smallest element id of each piece: piece numbers change from frame to frame, these ids seldom do. Local.
[[nodiscard]] std::vector<std::uint64_t> piece_keys(const io::SnapshotPart& part);

}  // namespace brisance::render
