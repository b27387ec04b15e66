// A ball. At its centre the normal is +z.
#include "bounds_around.hpp"
#include "kinds.hpp"

#include <cmath>
#include <numbers>

namespace brisance::contact {
namespace {

class SphereShape : public RigidShape {
public:
  explicit SphereShape(double radius_m) : radius_(radius_m) {}

  [[nodiscard]] SurfaceDistance signed_distance(const Pose& at, const Vec3& point) const override {
    const Vec3 out = point - at.centre;
    const double length = out.norm();
    return {length - radius_, length > 0 ? Vec3(out / length) : Vec3::UnitZ()};
  }
  [[nodiscard]] double reach() const override { return radius_; }
  [[nodiscard]] Box bounds(const Pose& at) const override {
    return bounds_around(at.centre, Vec3::Constant(radius_), at);
  }
  [[nodiscard]] std::vector<InsidePoint> points_inside(const Pose& at, const PlacedShape& other) const override {
    const SurfaceDistance s = contact::signed_distance(other, at.centre);
    if (!(s.distance < radius_)) return {};
    return {{at.centre - radius_ * s.normal, radius_ - s.distance, s.normal}};
  }
  [[nodiscard]] bool has_one_contact() const override { return true; }
  [[nodiscard]] double volume() const override { return 4 * std::numbers::pi / 3 * radius_ * radius_ * radius_; }
  [[nodiscard]] Inertia inertia(double mass_kg) const override {
    return {Vec3::Constant(0.4 * mass_kg * radius_ * radius_)};
  }
  [[nodiscard]] Vec3 size_in_frame(const Eigen::Quaterniond& /*orientation*/) const override { return {radius_, 0, 0}; }

private:
  double radius_;
};

std::optional<ShapeFault> sphere_fault(const ColliderParameters& p) {
  if (p.radius_m > 0 && std::isfinite(p.radius_m)) return std::nullopt;
  return ShapeFault{"radius_m", "a sphere needs collider.radius_m, positive."};
}

constexpr std::array kSphereKeys{ShapeKey{.name = "radius_m",
                                          .unit = "m",
                                          .sentence = "radius",
                                          .example = "0.1",
                                          .range = KeyRange::not_negative,
                                          .member = &ColliderParameters::radius_m}};

}  // namespace

const ShapeKind kSphere{.name = "sphere",
                        .sentence = "a ball",
                        .keys = kSphereKeys,
                        .fault = sphere_fault,
                        .make = [](const ColliderParameters& p) -> std::shared_ptr<const RigidShape> {
                          return std::make_shared<SphereShape>(p.radius_m);
                        }};

}  // namespace brisance::contact
