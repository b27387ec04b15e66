/// The inside of a solid, as a random walk meets it.
#pragma once

#include "render/integrator/enclosing_media.hpp"
#include "render/integrator/stage.hpp"
#include "render/media/random_walk.hpp"

#include <optional>

namespace brisance::render {

/// A media::FindSurface over the triangles of one solid: other solids that overlap it are not met. Where another solid
/// of the same medium touches, there is no surface, and the walk goes on in that one: a closed crack is not seen.
class WalkSpace {
public:
  /// @param media  around the start; the innermost is where the walk takes place
  /// @param time   of the ray, as Ray::time
  WalkSpace(const Stage& stage, const EnclosingMedia& media, float time) : stage_(stage), media_(media), time_(time) {}

  [[nodiscard]] std::optional<media::BoundaryPoint> operator()(const Vec3& point, const Vec3& direction, double reach);

  /// The last surface that was met, seen from outside.
  [[nodiscard]] const Hit& exit() const { return exit_; }
  /// Media beyond it.
  [[nodiscard]] EnclosingMedia media_outside() const;

private:
  /// Moves to a solid of the same medium that touches at the surface just met; false if there is none.
  bool enter_neighbour(const Vec3f& direction);

  const Stage& stage_;
  EnclosingMedia media_;
  float time_;
  Hit exit_{};
};

}  // namespace brisance::render
