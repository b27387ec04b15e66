// A rod with round ends about the z axis of its frame: all points within the radius of a line. On the line the normal
// is +x.
#include "bounds_around.hpp"
#include "kinds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace brisance::contact {
namespace {

constexpr int kQuarter = 8;  ///< chords of a quarter of a circle in frames

/// Points of a quarter of the unit circle from (1, 0) to (0, 1), by halving: no function but the root, for the same
/// bits on every machine.
std::array<Eigen::Vector2d, kQuarter + 1> quarter_circle() {
  std::array<Eigen::Vector2d, kQuarter + 1> points;
  points.front() = Eigen::Vector2d::UnitX();
  points.back() = Eigen::Vector2d::UnitY();
  for (std::size_t step = kQuarter; step > 1; step /= 2)
    for (std::size_t i = 0; i < kQuarter; i += step) points[i + step / 2] = (points[i] + points[i + step]).normalized();
  return points;
}

class CapsuleShape : public RigidShape {
public:
  CapsuleShape(double radius_m, double length_m) : radius_(radius_m), half_(0.5 * length_m) {}

  [[nodiscard]] SurfaceDistance signed_distance(const Pose& at, const Vec3& point) const override {
    const Vec3 local = in_body(at, point);
    const Vec3 out = local - Vec3(0, 0, std::clamp(local.z(), -half_, half_));
    const double length = out.norm();
    return {length - radius_, at.axes * (length > 0 ? Vec3(out / length) : Vec3::UnitX())};
  }
  [[nodiscard]] double reach() const override { return half_ + radius_; }
  [[nodiscard]] Box bounds(const Pose& at) const override {
    return bounds_around(at.centre, half_ * at.axes.col(2).cwiseAbs() + Vec3::Constant(radius_), at);
  }
  [[nodiscard]] Extent extent(const Pose& at, const Vec3& direction) const override {
    return {at.centre, (1 + 1e-12) * (half_ * std::abs(direction.dot(at.axes.col(2))) + radius_)};
  }
  /// The deepest points of balls along the line, half a radius apart: between them a plane would be deeper by nothing
  /// and an edge by 3 % of the radius. Those at the ends have the whole stiffness, and those between that of two.
  [[nodiscard]] std::vector<InsidePoint> points_inside(const Pose& at, const PlacedShape& other) const override {
    const int spaces = std::max(1, static_cast<int>(std::ceil(std::min(4 * half_ / radius_, 1000.0))));
    std::vector<InsidePoint> points;
    for (int i = 0; i <= spaces; ++i) {
      const Vec3 centre = at.centre + (2.0 * i / spaces - 1) * half_ * at.axes.col(2);
      const SurfaceDistance s = contact::signed_distance(other, centre);
      const double weight = i == 0 || i == spaces ? 1 : std::min(1.0, 2.0 / (spaces - 1));
      if (s.distance < radius_) points.push_back({centre - radius_ * s.normal, radius_ - s.distance, s.normal, weight});
    }
    return points;
  }
  [[nodiscard]] double volume() const override { return rod_volume() + ends_volume(); }
  /// Of the rod between the ends, and of two half balls whose centres of mass are 3/8 r beyond its ends.
  [[nodiscard]] Inertia inertia(double mass_kg) const override {
    const double rod = mass_kg * rod_volume() / volume(), ends = mass_kg - rod, length = 2 * half_;
    const double squared = radius_ * radius_;
    const double across = rod * (squared / 4 + length * length / 12) +
                          ends * (0.4 * squared + length * length / 4 + 0.375 * length * radius_);
    return {Vec3(across, across, rod * squared / 2 + 0.4 * ends * squared)};
  }
  [[nodiscard]] Vec3 size_in_frame(const Eigen::Quaterniond& /*orientation*/) const override {
    return {2 * radius_, 2 * radius_, 2 * (half_ + radius_)};
  }
  [[nodiscard]] ShapeSurface surface_in_frame() const override;

private:
  [[nodiscard]] double rod_volume() const { return std::numbers::pi * radius_ * radius_ * 2 * half_; }
  [[nodiscard]] double ends_volume() const { return 4 * std::numbers::pi / 3 * radius_ * radius_ * radius_; }

  double radius_, half_;  ///< [m]; half the length between the centres of the ends
};

/// Rings from the lower pole to the upper one, the equator twice.
ShapeSurface CapsuleShape::surface_in_frame() const {
  constexpr int around = 4 * kQuarter;
  const auto arc = quarter_circle();
  ShapeSurface surface;
  surface.vertices.emplace_back(0, 0, -half_ - radius_);
  const auto add_ring = [&](const Eigen::Vector2d& profile, double centre) {
    for (int i = 0; i < around; ++i) {
      const Eigen::Vector2d& on = arc[static_cast<std::size_t>(i % kQuarter)];
      constexpr std::array<std::array<int, 4>, 4> turns{{{1, 0, 0, 1}, {0, -1, 1, 0}, {-1, 0, 0, -1}, {0, 1, -1, 0}}};
      const auto& turn = turns[static_cast<std::size_t>(i / kQuarter)];
      const double x = turn[0] * on.x() + turn[1] * on.y(), y = turn[2] * on.x() + turn[3] * on.y();
      surface.vertices.emplace_back(radius_ * profile.x() * x, radius_ * profile.x() * y,
                                    centre + radius_ * profile.y());
    }
  };
  for (std::size_t k = kQuarter; k-- > 0;) add_ring({arc[k].x(), -arc[k].y()}, -half_);
  for (std::size_t k = 0; k < kQuarter; ++k) add_ring(arc[k], half_);
  const auto top = static_cast<std::int32_t>(surface.vertices.size());
  surface.vertices.emplace_back(0, 0, half_ + radius_);
  for (std::int32_t i = 0; i < around; ++i) {
    const std::int32_t next = (i + 1) % around;
    surface.triangles.push_back({0, 1 + next, 1 + i});
    for (std::int32_t ring = 1; ring + around < top; ring += around) {
      surface.triangles.push_back({ring + i, ring + next, ring + around + next});
      surface.triangles.push_back({ring + i, ring + around + next, ring + around + i});
    }
    surface.triangles.push_back({top, top - around + i, top - around + next});
  }
  return surface;
}

std::optional<ShapeFault> capsule_fault(const ColliderParameters& p) {
  if (!(p.radius_m > 0) || !std::isfinite(p.radius_m))
    return ShapeFault{"radius_m", "a capsule needs collider.radius_m, positive."};
  if (!(p.length_m > 0) || !std::isfinite(p.length_m))
    return ShapeFault{"length_m", "a capsule needs collider.length_m, positive; without length it is a sphere."};
  return std::nullopt;
}

constexpr std::array kCapsuleKeys{ShapeKey{.name = "radius_m",
                                           .unit = "m",
                                           .sentence = "radius",
                                           .example = "0.1",
                                           .range = KeyRange::not_negative,
                                           .member = &ColliderParameters::radius_m},
                                  ShapeKey{.name = "length_m",
                                           .unit = "m",
                                           .sentence = "length along z, between the centres of the round ends",
                                           .example = "0.5",
                                           .range = KeyRange::not_negative,
                                           .member = &ColliderParameters::length_m}};

}  // namespace

const ShapeKind kCapsule{.name = "capsule",
                         .sentence = "a rod with round ends, along z",
                         .keys = kCapsuleKeys,
                         .fault = capsule_fault,
                         .make = [](const ColliderParameters& p) -> std::shared_ptr<const RigidShape> {
                           return std::make_shared<CapsuleShape>(p.radius_m, p.length_m);
                         }};

}  // namespace brisance::contact
