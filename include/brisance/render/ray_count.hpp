/// How many rays a picture took.
#pragma once

#include <cstdint>

namespace brisance::render {

struct RayCount {
  std::uint64_t paths = 0;    ///< from the camera and scattered
  std::uint64_t shadows = 0;  ///< towards lights

  RayCount& operator+=(const RayCount& other) {
    paths += other.paths;
    shadows += other.shadows;
    return *this;
  }
};

}  // namespace brisance::render
