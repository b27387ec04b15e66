/// A Lambert surface coloured by an image.
#pragma once

#include "brisance/render/image.hpp"

#include "render/materials/diffuse.hpp"

namespace brisance::render {

/// The image is repeated in both directions and interpolated between pixels; (0, 0) is its lower left corner.
class Textured : public Diffuse {
public:
  /// @param size_m  0: by texture coordinates; else the width of the image on the surface at rest [m], which is then
  ///                seen along the axis closest to the surface's normal
  Textured(Image image, float size_m) : image_(std::move(image)), size_m_(size_m) {}

  [[nodiscard]] Needs needs() const override { return {.rest = size_m_ > 0, .texture = size_m_ <= 0}; }

protected:
  [[nodiscard]] Rgb albedo(const SurfacePoint& at) const override;

private:
  [[nodiscard]] Rgb bilinear(const Eigen::Vector2f& at) const;

  Image image_;
  float size_m_;
};

[[nodiscard]] Kind texture_kind();
/// Throws core::Error if the image cannot be read.
[[nodiscard]] std::unique_ptr<Material> make_textured(const Values& values);

}  // namespace brisance::render
