/// Frames whose numbers are numbers.
#pragma once

#include "brisance/io/snapshot.hpp"

#include <filesystem>

namespace brisance::io {

/// Throws core::Error that names the file and the first node or tet of which a position, velocity, stress or plastic
/// strain is not a finite number. Frames are read with such numbers, to be compared; who computes with them or shows
/// them asks first. Local.
void require_finite(const std::filesystem::path& file, const SnapshotPart& part);

}  // namespace brisance::io
