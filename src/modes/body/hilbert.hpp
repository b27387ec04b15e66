/// Order along a space-filling curve: points near on it are near in space.
#pragma once

#include "brisance/core/types.hpp"

#include <cstdint>

namespace brisance::modes {

/// Position of a point of the unit cube on Hilbert's curve of order 20 (J. Skilling, "Programming the Hilbert curve",
/// AIP Conf. Proc. 707, 2004). Coordinates outside [0, 1] are clamped. Local.
[[nodiscard]] std::uint64_t hilbert_key(const Vec3& point);

}  // namespace brisance::modes
