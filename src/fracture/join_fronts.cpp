#include "join_fronts.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

namespace brisance::fracture {

namespace {

constexpr double kCos30 = 0.86602540378443865, kCos45 = 0.70710678118654752, kCos60 = 0.5;
constexpr double kAhead = 0.2;     ///< cosine of 78°: a node beside a front's growth direction is not ahead of it
constexpr double kPull = 100;      ///< of fronts against the wanted normal
constexpr double kOnPlane = 0.39;  ///< sine of 23°: how far off the plane a front's node may be and count as on it

/// Of the crack behind the node's own front, where it goes on nearly straight.
Vec3 with_crack_behind(const Neighbourhood& hood) {
  if (!hood.front) return hood.normal;
  const Vec3 behind = hood.front->tangent.cross(hood.front->growth);
  const double cosine = behind.dot(hood.normal);
  if (std::abs(cosine) < kCos30) return hood.normal;
  return (hood.normal + (cosine > 0 ? behind : Vec3(-behind))).normalized();
}

/// Does the node continue the front through that link node, be it the node's own or one that it lies ahead of?
bool is_in_reach(const Neighbourhood& hood, const LinkNode& link, const Vec3& normal) {
  const Vec3 arm = link.position - hood.node.position;
  if (hood.front && std::ranges::find(hood.front->neighbours, link.id) != hood.front->neighbours.end()) return true;
  if (!link.front || std::abs(link.front->tangent.cross(link.front->growth).dot(normal)) < kCos60) return false;
  if (-arm.dot(link.front->growth) <= kAhead * arm.norm()) return false;
  return !hood.front || arm.dot(hood.front->growth) >= -kAhead * arm.norm();
}

}  // namespace

std::optional<Joined> join_fronts(const Neighbourhood& hood) {
  if (!hood.joins_fronts) return std::nullopt;
  const Vec3 wanted = with_crack_behind(hood);
  std::vector<char> in_reach;
  Mat3 spread = Mat3::Zero();
  double mean_squared = 0;
  int num_met = 0;
  for (const LinkNode& link : hood.link) {
    const Vec3 arm = link.position - hood.node.position;
    mean_squared += arm.squaredNorm() / static_cast<double>(hood.link.size());
    in_reach.push_back(is_in_reach(hood, link, wanted) ? 1 : 0);
    if (in_reach.back() == 0 || std::abs(arm.dot(wanted)) > kCos45 * arm.norm()) continue;
    spread += arm * arm.transpose();
    ++num_met;
  }
  if (num_met == 0) return std::nullopt;
  const Mat3 stiffness = Mat3::Identity() + kPull / (mean_squared * num_met) * spread;
  Joined joined{(stiffness.inverse() * wanted).normalized(), std::move(in_reach)};
  if (joined.normal.dot(hood.normal) < kCos45) return std::nullopt;
  for (std::size_t i = 0; i < hood.link.size(); ++i) {
    const Vec3 arm = hood.link[i].position - hood.node.position;
    if (std::abs(arm.dot(joined.normal)) > kOnPlane * arm.norm()) joined.on_plane[i] = 0;
  }
  return joined;
}

}  // namespace brisance::fracture
