/// Convex parts that stand for a piece where it touches others.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::breaking {

/// How closely hulls follow what they stand for.
struct HullParameters {
  std::size_t most_parts = 12;  ///< more make contacts dear
  int directions = 96;  ///< in which the extreme nodes of a part are found: a contact costs by the points of a hull
  std::size_t kept_whole = 0;  ///< parts of no more nodes keep them all
};

/// Divides tets by planes, again and again where their convex hull holds most that is not theirs, until the hulls
/// together exceed the volume by little or there are enough of them. Hulls cover all tets; those of one piece overlap
/// along its cuts. Local, deterministic.
/// @param nodes  [m]
/// @param tets  of one piece, corners in `nodes`, positive
/// @return the extreme nodes of each part in many directions [m]
[[nodiscard]] std::vector<std::vector<Vec3>> convex_parts(std::span<const Vec3> nodes,
                                                          std::vector<std::array<std::int32_t, 4>> tets,
                                                          const HullParameters& parameters = {});

}  // namespace brisance::breaking
