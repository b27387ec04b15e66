/// Convex parts that stand for a piece where it touches others.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::breaking {

/// Divides tets by planes, again and again where their convex hull holds most that is not theirs, until the hulls
/// together exceed the volume by little or there are enough of them. Hulls cover all tets; those of one piece overlap
/// along its cuts. Local, deterministic.
/// @param nodes  [m]
/// @param tets  of one piece, corners in `nodes`, positive
/// @param most_parts  more make contacts dear
/// @return the extreme nodes of each part in many directions [m]
[[nodiscard]] std::vector<std::vector<Vec3>> convex_parts(std::span<const Vec3> nodes,
                                                          std::vector<std::array<std::int32_t, 4>> tets,
                                                          std::size_t most_parts = 12);

}  // namespace brisance::breaking
