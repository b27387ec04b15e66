/// Checks frames for numbers that are not finite.
#pragma once

#include "brisance/io/snapshot.hpp"

#include <filesystem>

namespace brisance::io {

/// Throws core::Error that names the file and the first node or tet with a position, velocity, stress or plastic strain
/// that is not finite. Frames with such numbers can be read, for comparisons; code that computes with them or shows
/// them calls this first. Local.
void require_finite(const std::filesystem::path& file, const SnapshotPart& part);

}  // namespace brisance::io
