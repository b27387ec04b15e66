#include "masonry.hpp"

#include "part_selection.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::sim {

namespace {

constexpr double kOnPlane = 1e-9;  ///< of a brick: corners closer than this to a joint's middle plane lie on it

/// Alternating bricks and joints along an axis; the first brick begins at 0.
struct Row {
  double brick, joint;  ///< [m]

  [[nodiscard]] bool has_joints() const { return std::isfinite(brick); }
  /// Number of the brick at x, where half of each joint counts to the brick beside it; a real number, linear in x.
  [[nodiscard]] double number(double x) const { return has_joints() ? (x + joint / 2) / (brick + joint) : 0; }
  [[nodiscard]] bool is_joint(double x) const {
    if (!has_joints()) return false;
    const double period = brick + joint;
    return x - period * std::floor(x / period) > brick;
  }
  /// Whether the middle plane of a joint lies in (low, high], or at `low`: if it runs along faces of tets, those above
  /// it are mortar.
  [[nodiscard]] bool joint_between(double low, double high) const {
    return has_joints() && std::ceil(number(high) - kOnPlane) - 1 >= number(low) - kOnPlane;
  }
};

}  // namespace

bool is_mortar(const PartParameters& bond, const std::array<Vec3, 4>& corners) {
  Vec3 low = corners[0], high = corners[0];
  for (const Vec3& x : corners) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  low -= bond.centre;
  high -= bond.centre;
  const Vec3 middle = middle_of(corners) - bond.centre;
  const auto crosses = [&](int axis, double shift) {
    const Row row{bond.brick[axis], bond.joint_m};
    return row.is_joint(middle[axis] - shift) || row.joint_between(low[axis] - shift, high[axis] - shift);
  };
  if (crosses(2, 0) || crosses(1, 0)) return true;
  const double course = std::floor(Row{bond.brick.z(), bond.joint_m}.number(middle.z()));
  const bool is_shifted = std::fmod(course, 2) != 0 && std::isfinite(bond.brick.x());
  return crosses(0, is_shifted ? bond.overlap * (bond.brick.x() + bond.joint_m) : 0);
}

}  // namespace brisance::sim
