/// The cracks of an object's pieces, continued outwards a little, so that they cross the input surface wherever it
/// lies.
#pragma once

#include "exports/skin/broken_shape.hpp"
#include "exports/skin/input_skin.hpp"

#include <cstdint>
#include <vector>

namespace brisance::exports {

enum class WallKind : std::uint8_t { crack, cavity, extension };

struct Walls {
  Net net;                               ///< positions at rest; triangles face away from their piece
  std::vector<Vec3> points, velocities;  ///< of the net's points, now [m], [m/s]
  std::vector<std::int32_t> piece;       ///< of each triangle
  std::vector<WallKind> kind;            ///< of each triangle
};

/// Walls of the pieces whose entry in `chosen` is not 0. Local.
[[nodiscard]] Walls build_walls(const BrokenShape& shape, const std::vector<char>& chosen, const TriangleSearch& skin);

/// The rotation of a triangle from one place to another.
[[nodiscard]] Mat3 rotation_of(const std::array<Vec3, 3>& rest, const std::array<Vec3, 3>& now);

}  // namespace brisance::exports
