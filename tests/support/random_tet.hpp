/// Random tets, for tests of overlaps.
#pragma once

#include "brisance/contact/overlap/tet_overlap.hpp"

#include <array>
#include <random>

namespace brisance::test {

/// Corners in a cube of edge 2, not too flat.
inline std::array<Vec3, 4> random_tet(std::mt19937& random) {
  std::uniform_real_distribution<double> coordinate(-1, 1);
  std::array<Vec3, 4> c;
  do
    for (Vec3& x : c) x = Vec3(coordinate(random), coordinate(random), coordinate(random));
  while (contact::placed_tet(c).volume < 0.02);
  return c;
}

}  // namespace brisance::test
