/// Checks of simple regions of space, shared by the tables that have them.
#pragma once

#include <string>

#include <fmt/format.h>

namespace brisance::app {

/// @param shape   an enumerator of `Shape`, which has box, sphere, half_space and group
/// @param refuse  called with a key and a complaint; throws
template <class Shape, class Region, class Refuse>
void check_place(const Region& region, Shape shape, const std::string& table, const Refuse& refuse) {
  if (shape == Shape::sphere && region.radius_m <= 0)
    refuse("radius_m", fmt::format("a sphere needs {}.radius_m, positive.", table));
  if (shape == Shape::box && !(region.low.array() < region.high.array()).all())
    refuse("low_m", fmt::format("a box needs {0}.low_m below {0}.high_m in x, y and z.", table));
  if (shape == Shape::half_space && region.normal.norm() == 0)
    refuse("normal", fmt::format("{}.normal must not be zero (up is [0, 0, 1]).", table));
  if (shape != Shape::group && !region.group.empty())
    refuse("shape", fmt::format("{}.group goes with no other shape; leave one out.", table));
}

}  // namespace brisance::app
