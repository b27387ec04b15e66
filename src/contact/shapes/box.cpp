// A block. Inside, the nearest face counts, of equally near ones that of the lowest axis, and of opposite ones the
// positive one; outside an edge or corner the normal points from the nearest point of the box to the query.
#include "bounds_around.hpp"
#include "kinds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace brisance::contact {
namespace {

/// Two sides are one where they are as deep, to this share.
constexpr double kFlush = 0.1;

class BoxShape : public RigidShape {
public:
  explicit BoxShape(const Vec3& size) : size_(size), half_size_(0.5 * size) {}

  [[nodiscard]] SurfaceDistance signed_distance(const Pose& at, const Vec3& point) const override {
    const Vec3 local = in_body(at, point);
    const Vec3 beyond = local.cwiseAbs() - half_size_;  // past the face of each axis if positive
    const Vec3 outside = beyond.cwiseMax(0.0);
    Vec3 normal = Vec3::Zero();
    double distance = outside.norm();
    if (distance > 0) {
      for (int axis = 0; axis < 3; ++axis) normal[axis] = std::copysign(outside[axis], local[axis]) / distance;
    } else {
      int nearest = 0;
      for (int axis = 1; axis < 3; ++axis)
        if (beyond[axis] > beyond[nearest]) nearest = axis;
      distance = beyond[nearest];
      normal[nearest] = local[nearest] < 0 ? -1.0 : 1.0;
    }
    return {distance, at.axes * normal};
  }
  [[nodiscard]] std::optional<SurfaceDistance> distance_to_free_side(const Pose& at, const Vec3& point,
                                                                     const IsInOtherBody& is_in_other) const override {
    const Vec3 local = in_body(at, point);
    std::array<std::pair<double, int>, 6> sides;  // depth, axis and sign: equally near ones as in signed_distance
    for (int side = 0; side < 6; ++side) {
      const int axis = side / 2;
      sides[static_cast<std::size_t>(side)] = {half_size_[axis] - (side % 2 == 0 ? local[axis] : -local[axis]), side};
    }
    std::ranges::sort(sides);
    const auto normal_of = [&](int side) {
      return Vec3(at.axes * ((side % 2 == 0 ? 1.0 : -1.0) * Vec3::Unit(side / 2)));
    };
    const Vec3 image = point + 2 * sides[0].first * normal_of(sides[0].second);
    if (is_in_other(image))
      for (std::size_t i = 1; i < sides.size(); ++i) {
        const double depth = sides[i].first;
        const Vec3 normal = normal_of(sides[i].second);
        if (is_in_other(image + (1 - kFlush) * depth * normal) && !is_in_other(image + (1 + kFlush) * depth * normal))
          return SurfaceDistance{-depth, normal};
      }
    return std::nullopt;
  }
  [[nodiscard]] double reach() const override { return half_size_.norm(); }
  [[nodiscard]] Box bounds(const Pose& at) const override {
    return bounds_around(at.centre, at.axes.cwiseAbs() * half_size_, at);
  }
  /// Its corners.
  [[nodiscard]] std::vector<InsidePoint> points_inside(const Pose& at, const PlacedShape& other) const override {
    std::vector<InsidePoint> points;
    for (int corner = 0; corner < 8; ++corner) {
      Vec3 local = half_size_;
      for (int axis = 0; axis < 3; ++axis)
        if (corner >> axis & 1) local[axis] = -local[axis];
      const Vec3 point = at.centre + at.axes * local;
      const SurfaceDistance s = contact::signed_distance(other, point);
      if (s.distance < 0) points.push_back({point, -s.distance, s.normal});
    }
    return points;
  }
  [[nodiscard]] double volume() const override { return size_.prod(); }
  [[nodiscard]] Inertia inertia(double mass_kg) const override {
    const Vec3 squared = size_.cwiseAbs2();
    return {mass_kg / 12 * Vec3(squared.y() + squared.z(), squared.z() + squared.x(), squared.x() + squared.y())};
  }
  [[nodiscard]] Vec3 size_in_frame(const Eigen::Quaterniond& /*orientation*/) const override { return size_; }

private:
  Vec3 size_, half_size_;
};

std::optional<ShapeFault> box_fault(const ColliderParameters& p) {
  if (p.size.minCoeff() > 0 && p.size.allFinite()) return std::nullopt;
  return ShapeFault{"size_m", "a box needs collider.size_m, three positive edge lengths."};
}

constexpr std::array kBoxKeys{ShapeKey{.name = "size_m",
                                       .unit = "m",
                                       .sentence = "full edge lengths",
                                       .example = "[1, 1, 0.1]",
                                       .range = KeyRange::not_negative,
                                       .member = &ColliderParameters::size}};

}  // namespace

const ShapeKind kBox{.name = "box",
                     .sentence = "a block",
                     .keys = kBoxKeys,
                     .fault = box_fault,
                     .make = [](const ColliderParameters& p) -> std::shared_ptr<const RigidShape> {
                       return std::make_shared<BoxShape>(p.size);
                     }};

}  // namespace brisance::contact
