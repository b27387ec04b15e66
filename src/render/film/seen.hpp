/// What a camera ray meets first, for the layers of a picture.
#pragma once

#include "brisance/render/colour.hpp"

#include <cstdint>
#include <limits>

namespace brisance::render {

inline constexpr std::uint32_t kNoName = std::numeric_limits<std::uint32_t>::max();

struct Seen {
  float depth = 0;  ///< distance from the eye along the view's axis [m]; infinite where nothing is met
  Rgb albedo = Rgb::Zero();
  Vec3f normal = Vec3f::Zero();    ///< unit, for shading, in the world
  Vec3f velocity = Vec3f::Zero();  ///< [m/s]
  std::uint32_t object = kNoName;  ///< number in the names of objects
  std::uint32_t piece = kNoName;   ///< number in the names of pieces
  float piece_number = -1;         ///< that of the snapshot; −1 where no piece is met
};

}  // namespace brisance::render
