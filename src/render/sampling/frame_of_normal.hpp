/// Orthonormal frame about a normal: directions of materials are relative to it.
#pragma once

#include "brisance/render/colour.hpp"

namespace brisance::render {

/// z is the normal; x and y are some perpendicular pair.
class FrameOfNormal {
public:
  /// @param normal  unit
  explicit FrameOfNormal(const Vec3f& normal) : x_(normal.unitOrthogonal()), y_(normal.cross(x_)), z_(normal) {}

  [[nodiscard]] Vec3f to_local(const Vec3f& world) const { return {world.dot(x_), world.dot(y_), world.dot(z_)}; }
  [[nodiscard]] Vec3f to_world(const Vec3f& local) const { return local.x() * x_ + local.y() * y_ + local.z() * z_; }

private:
  Vec3f x_, y_, z_;
};

}  // namespace brisance::render
