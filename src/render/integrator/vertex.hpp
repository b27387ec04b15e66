/// A surface point of a path: its material, and directions relative to its normal.
#pragma once

#include "render/geometry/ray.hpp"
#include "render/integrator/stage.hpp"
#include "render/sampling/frame_of_normal.hpp"

namespace brisance::render {

/// Scattering at a hit. Shading normals may put a reflected direction below the true surface, or a refracted one above
/// it. Smooth glass and mirrors then take the true normal; other materials refuse the direction.
class Vertex {
public:
  /// @param incoming     direction of the ray that arrives
  /// @param least_alpha  as SurfacePoint::least_alpha
  Vertex(const Stage& stage, const Material& material, const Hit& hit, const Vec3f& incoming, float relative_index,
         float least_alpha = 0);
  Vertex(const Stage& stage, const Hit& hit, const Vec3f& incoming, float relative_index, float least_alpha);

  /// f(ωo, ωi) |cos θi| for a direction in the world; zero if it is refused.
  [[nodiscard]] Rgb evaluate(const Vec3f& direction) const;
  [[nodiscard]] float pdf(const Vec3f& direction) const;
  /// The material's sample, with wi in the world.
  [[nodiscard]] std::optional<Scattered> sample(Point2 random, float choice) const;
  /// The material's branches, with wi in the world.
  [[nodiscard]] std::optional<SpecularPair> branches() const;
  /// Material::tint.
  [[nodiscard]] Rgb tint() const { return material_.tint(point_); }

private:
  [[nodiscard]] bool is_refused(const Vec3f& direction, bool is_transmission) const {
    return (direction.dot(face_normal_) < 0) != is_transmission;
  }
  void take_true_normal_if_refused();
  const Material& material_;
  SurfacePoint point_;
  Vec3f face_normal_, outgoing_;
  FrameOfNormal frame_;
  Vec3f wo_;
};

/// Material::tint of the surface hit.
[[nodiscard]] Rgb tint_at(const Stage& stage, const Hit& hit);

}  // namespace brisance::render
