/// Whether a crack lies between two places of its piece.
#pragma once

#include "exports/skin/walls.hpp"

#include <cstdint>

namespace brisance::exports {

/// Keeps a reference to the walls.
class WallsBetween {
public:
  explicit WallsBetween(const Walls& walls);

  /// Whether a wall of the piece crosses the segment from one place at rest to another [m]. Decided as for crossings: a
  /// point of the skin on a wall has a side. Local.
  [[nodiscard]] bool separate(const Vec3& on_skin, const Vec3& other, std::int32_t piece) const;

private:
  const Walls& walls_;
  TriangleSearch search_;
};

}  // namespace brisance::exports
