/// Convex parts that represent a piece in contacts.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::breaking {

/// Accuracy of the hulls.
struct HullParameters {
  std::size_t most_parts = 12;  ///< more parts make contacts expensive
  int directions = 96;          ///< of extreme nodes in a hull: the cost of a contact grows with the points of a hull
  std::size_t kept_whole = 0;   ///< parts with no more nodes keep all of them
};

/// Divides tets by planes, repeatedly the part whose hull exceeds its volume most, until the hulls' excess over the
/// volume is small or there are enough of them. Hulls cover all tets; those of one piece overlap along its cuts. Local,
/// deterministic.
/// @param nodes  [m]
/// @param tets  of one piece, corners in `nodes`, positive
/// @return the extreme nodes of each part in many directions [m]
[[nodiscard]] std::vector<std::vector<Vec3>> convex_parts(std::span<const Vec3> nodes,
                                                          std::vector<std::array<std::int32_t, 4>> tets,
                                                          const HullParameters& parameters = {});

}  // namespace brisance::breaking
