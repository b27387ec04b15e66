/// An image of the surroundings, all around.
#pragma once

#include "brisance/render/image.hpp"

#include "render/lights/lights.hpp"
#include "render/parameters.hpp"

namespace brisance::render {

/// Equirectangular: columns are azimuths, the top row is straight above. Pixels are interpolated. A direction is chosen
/// by a pixel's largest brightness among its neighbours times its solid angle, uniformly within it.
class Environment : public Light {
public:
  /// @param azimuth  of the image's middle column about `up`, counter-clockwise [radians]
  Environment(Image image, float strength, const Vec3f& up, float azimuth);

  [[nodiscard]] std::optional<LightSample> sample(const Vec3f& point, Point2 random) const override;
  [[nodiscard]] bool is_around_scene() const override { return true; }
  [[nodiscard]] std::optional<Emission> emitted(const Ray& ray) const override;

private:
  /// A place in the image: 0 … 1 from the left and from the top.
  [[nodiscard]] Eigen::Vector2f place_of(const Vec3f& direction) const;
  [[nodiscard]] Vec3f direction_at(const Eigen::Vector2f& place) const;
  [[nodiscard]] Rgb radiance_at(const Eigen::Vector2f& place) const;
  [[nodiscard]] float density_at(const Eigen::Vector2f& place, float sine) const;
  [[nodiscard]] float weight_of(int x, int y) const;

  Image image_;
  Vec3f right_, back_, up_;
  std::vector<double> rows_;     ///< cumulative weights of rows, from 0
  std::vector<double> columns_;  ///< of each row's pixels, from 0, width + 1 numbers a row
};

[[nodiscard]] Kind environment_kind();
/// Throws core::Error if the image cannot be read or is black.
[[nodiscard]] std::unique_ptr<Light> make_environment(const Values& values, const LightPlace& place);

}  // namespace brisance::render
