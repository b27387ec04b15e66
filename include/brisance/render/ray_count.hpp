/// How many rays a picture took.
#pragma once

#include <cstdint>

namespace brisance::render {

struct RayCount {
  std::uint64_t paths = 0;    ///< from the camera and scattered
  std::uint64_t shadows = 0;  ///< towards lights
  std::uint64_t samples = 0;  ///< of pixels

  RayCount& operator+=(const RayCount& other) {
    paths += other.paths;
    shadows += other.shadows;
    samples += other.samples;
    return *this;
  }
};

}  // namespace brisance::render
