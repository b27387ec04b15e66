#include "render/materials/textured.hpp"

#include "brisance/core/error.hpp"

#include <cmath>
#include <utility>

namespace brisance::render {
namespace {

int wrapped(int i, int size) { return ((i % size) + size) % size; }

/// The point's components across the axis closest to the normal at rest, with y (or, from above, z) upwards.
Eigen::Vector2f seen_along_axis(const SurfacePoint& at) {
  const Vec3f& n = at.rest_normal;
  const Vec3f& x = at.rest_position;
  const Vec3f size = n.cwiseAbs();
  if (size.z() >= size.x() && size.z() >= size.y()) return {x.x(), x.y()};
  return size.x() > size.y() ? Eigen::Vector2f(x.y(), x.z()) : Eigen::Vector2f(x.x(), x.z());
}

}  // namespace

Rgb Textured::bilinear(const Eigen::Vector2f& at) const {
  const float x = (at.x() - std::floor(at.x())) * static_cast<float>(image_.width) - 0.5F;
  const float y = (1 - (at.y() - std::floor(at.y()))) * static_cast<float>(image_.height) - 0.5F;
  const int left = static_cast<int>(std::floor(x)), top = static_cast<int>(std::floor(y));
  const float u = x - static_cast<float>(left), v = y - static_cast<float>(top);
  const auto pixel = [&](int i, int j) { return image_.at(wrapped(i, image_.width), wrapped(j, image_.height)); };
  return (1 - v) * ((1 - u) * pixel(left, top) + u * pixel(left + 1, top)) +
         v * ((1 - u) * pixel(left, top + 1) + u * pixel(left + 1, top + 1));
}

Rgb Textured::albedo(const SurfacePoint& at) const {
  if (size_m_ <= 0) return bilinear(at.texture);
  const float shape = static_cast<float>(image_.width) / static_cast<float>(image_.height);
  const Eigen::Vector2f across = seen_along_axis(at) / size_m_;
  return bilinear({across.x(), across.y() * shape});
}

Kind texture_kind() {
  return {.name = "texture",
          .sentence = "matt, with the colours of an image",
          .parameters = {
              {.name = "file",
               .unit = "",
               .sentence = "texture, environment: the image.",
               .form = ParameterForm::file,
               .is_required = true},
              {.name = "size_m",
               .unit = "m",
               .sentence = "texture: width of the image on the surface at rest, repeated, seen along the axis closest "
                           "to the surface's normal; 0: by texture coordinates.",
               .normal = 0.0,
               .low = 0}}};
}

std::unique_ptr<Material> make_textured(const Values& values) {
  return std::make_unique<Textured>(read_image(values.text("file")), values.number("size_m"));
}

}  // namespace brisance::render
