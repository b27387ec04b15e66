#include "render/lights/rectangle.hpp"

#include "brisance/core/error.hpp"

#include <cmath>

namespace brisance::render {

Rectangle::Rectangle(const Rgb& radiance, const Vec3f& centre, const std::array<Vec3f, 2>& edges)
    : radiance_(radiance),
      centre_(centre),
      edges_(edges),
      normal_(edges[0].cross(edges[1]).normalized()),
      area_m2_(4 * edges[0].cross(edges[1]).norm()) {}

std::optional<LightSample> Rectangle::sample(const Vec3f& point, Point2 random) const {
  const Vec3f to_light = centre_ + (2 * random.u - 1) * edges_[0] + (2 * random.v - 1) * edges_[1] - point;
  const float distance = to_light.norm();
  const Vec3f direction = to_light / distance;
  const float cosine = -direction.dot(normal_);
  if (!(cosine > 0)) return std::nullopt;
  return LightSample{.direction = direction,
                     .distance = distance,
                     .radiance = radiance_,
                     .pdf = distance * distance / (area_m2_ * cosine)};
}

std::optional<Emission> Rectangle::emitted(const Ray& ray) const {
  const float cosine = -ray.direction.dot(normal_);
  if (!(cosine > 0)) return std::nullopt;
  const float distance = (ray.origin - centre_).dot(normal_) / cosine;
  if (!(distance > 0)) return std::nullopt;
  const Vec3f across = ray.origin + distance * ray.direction - centre_;
  for (const Vec3f& edge : edges_)
    if (std::abs(across.dot(edge)) > edge.squaredNorm()) return std::nullopt;
  return Emission{.radiance = radiance_, .distance = distance, .pdf = distance * distance / (area_m2_ * cosine)};
}

Kind rectangle_kind() {
  const auto length = [](const char* name, const char* sentence) {
    return Parameter{.name = name, .unit = "m", .sentence = sentence, .low = 0, .low_open = true, .is_required = true};
  };
  return {.name = "rectangle",
          .sentence = "a lamp that shines to one side",
          .parameters = {light_colour(Vec3(5, 5, 5)),
                         {.name = "centre_m",
                          .unit = "m",
                          .sentence = "rectangle, sphere: its centre.",
                          .form = ParameterForm::triple,
                          .is_required = true},
                         {.name = "target_m",
                          .unit = "m",
                          .sentence = "rectangle: the point that it faces.",
                          .form = ParameterForm::triple,
                          .normal = Vec3(0, 0, 0)},
                         length("width_m", "rectangle: horizontal side."),
                         length("height_m", "rectangle: other side.")}};
}

std::unique_ptr<Light> make_rectangle(const Values& values, const LightPlace& place) {
  const Vec3 centre = values.triple("centre_m"), forward = (values.triple("target_m") - centre).normalized();
  if (!(forward.norm() > 0.5)) throw core::Error("centre_m and target_m are the same point.");
  Vec3 side = place.up.cross(forward);
  if (side.norm() < 1e-6) side = forward.unitOrthogonal();
  side.normalize();
  const std::array<Vec3f, 2> edges{(0.5 * values.number("width_m") * side).cast<float>(),
                                   (0.5 * values.number("height_m") * forward.cross(side)).cast<float>()};
  return std::make_unique<Rectangle>(values.colour("colour"), (centre - place.origin).cast<float>(), edges);
}

}  // namespace brisance::render
