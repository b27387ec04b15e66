// The half space below a plane. It has no mass and no end.
#include "kinds.hpp"

#include <cmath>

namespace brisance::contact {
namespace {

class PlaneShape : public RigidShape {
public:
  explicit PlaneShape(const Vec3& normal) : given_(normal), normal_(normal.normalized()) {}

  [[nodiscard]] SurfaceDistance signed_distance(const Pose& at, const Vec3& point) const override {
    const Vec3 normal = at.axes * normal_;
    return {normal.dot(point - at.centre), normal};
  }
  [[nodiscard]] std::optional<HalfSpace> half_space(const Pose& at) const override {
    const Vec3 normal = at.axes * normal_;
    return HalfSpace{normal, normal.dot(at.centre)};
  }
  [[nodiscard]] double reach() const override { return 0; }
  [[nodiscard]] Box bounds(const Pose& at) const override { return {at.centre, at.centre}; }
  [[nodiscard]] std::vector<InsidePoint> points_inside(const Pose& /*at*/,
                                                       const PlacedShape& /*other*/) const override {
    return {};
  }
  [[nodiscard]] double volume() const override { return 0; }
  [[nodiscard]] Inertia inertia(double /*mass_kg*/) const override { return {}; }
  [[nodiscard]] Vec3 size_in_frame(const Eigen::Quaterniond& orientation) const override {
    return orientation * given_;
  }

private:
  Vec3 given_, normal_;
};

std::optional<ShapeFault> plane_fault(const ColliderParameters& p) {
  const double length = p.normal.norm();
  if (!(length > 0) || !std::isfinite(length))
    return ShapeFault{"normal", "collider.normal must not be zero (the ground has [0, 0, 1])."};
  if (p.motion == ColliderMotion::free)
    return ShapeFault{"motion", "a plane cannot move freely; use a box, or motion \"path\"."};
  return std::nullopt;
}

constexpr std::array kPlaneKeys{ShapeKey{.name = "normal",
                                         .unit = "–",
                                         .sentence = "the normal that points to the objects' side",
                                         .example = "[0, 0, 1]",
                                         .member = &ColliderParameters::normal}};

}  // namespace

const ShapeKind kPlane{.name = "plane",
                       .sentence = "the surface of a half space",
                       .keys = kPlaneKeys,
                       .fault = plane_fault,
                       .make = [](const ColliderParameters& p) -> std::shared_ptr<const RigidShape> {
                         return std::make_shared<PlaneShape>(p.normal);
                       }};

}  // namespace brisance::contact
