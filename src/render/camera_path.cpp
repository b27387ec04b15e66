#include "brisance/core/error.hpp"
#include "brisance/render/camera.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::render {
namespace {

/// A quantity at a key, for interpolation.
struct Knot {
  double time_s;
  Eigen::Matrix<double, 7, 1> value;  ///< eye, target [m], field of view [degrees]
};

Knot knot_of(const CameraKey& key) {
  Knot knot{.time_s = key.time_s, .value = {}};
  knot.value << key.camera.eye, key.camera.target, key.camera.field_of_view_deg;
  return knot;
}

/// Slope at b of the parabola through three knots (Catmull and Rom for equal intervals).
Eigen::Matrix<double, 7, 1> slope(const Knot& a, const Knot& b, const Knot& c) {
  const double before = b.time_s - a.time_s, after = c.time_s - b.time_s;
  return (after / before * (b.value - a.value) + before / after * (c.value - b.value)) / (before + after);
}

}  // namespace

void check(const std::vector<CameraKey>& keys) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0 && !(keys[i].time_s > keys[i - 1].time_s))
      throw core::Error("camera.key: times must ascend; the entry of " + std::to_string(keys[i].time_s) +
                        " s does not follow the one before.");
    (void)camera_axes(keys[i].camera);
  }
}

Camera camera_at(const std::vector<CameraKey>& keys, double time_s) {
  const auto after = std::ranges::upper_bound(keys, time_s, {}, &CameraKey::time_s);
  if (after == keys.begin()) return keys.front().camera;
  if (after == keys.end()) return keys.back().camera;
  const auto i = static_cast<std::size_t>(after - keys.begin());
  const Knot from = knot_of(keys[i - 1]), to = knot_of(keys[i]);
  const double length = to.time_s - from.time_s, t = (time_s - from.time_s) / length;
  // The camera rests at the first and last key.
  Eigen::Matrix<double, 7, 1> start = 0 * from.value, end = start;
  if (i >= 2) start = length * slope(knot_of(keys[i - 2]), from, to);
  if (i + 1 < keys.size()) end = length * slope(from, to, knot_of(keys[i + 1]));
  // cubic Hermite polynomial
  const double t2 = t * t, t3 = t2 * t;
  const Eigen::Matrix<double, 7, 1> value =
      (2 * t3 - 3 * t2 + 1) * from.value + (t3 - 2 * t2 + t) * start + (3 * t2 - 2 * t3) * to.value + (t3 - t2) * end;
  return {
      .eye = value.head<3>(), .target = value.segment<3>(3), .up = keys[i].camera.up, .field_of_view_deg = value[6]};
}

}  // namespace brisance::render
