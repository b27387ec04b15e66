/// How many rays a picture took.
#pragma once

#include <cstdint>

namespace brisance::render {

struct RayCount {
  std::uint64_t paths = 0;    ///< from the camera and scattered
  std::uint64_t shadows = 0;  ///< towards lights
  std::uint64_t samples = 0;  ///< of pixels

  // Where light entered solids that scatter it:
  std::uint64_t dipoles = 0;      ///< thick ones
  std::uint64_t walks = 0;        ///< followed through the solid by a random walk
  std::uint64_t walk_events = 0;  ///< scattering events of these

  RayCount& operator+=(const RayCount& other) {
    paths += other.paths;
    shadows += other.shadows;
    samples += other.samples;
    dipoles += other.dipoles;
    walks += other.walks;
    walk_events += other.walk_events;
    return *this;
  }
};

}  // namespace brisance::render
