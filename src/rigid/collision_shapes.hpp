/// Bullet's shapes of bodies and obstacles, in its units, where a typical body has size 1.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <btBulletCollisionCommon.h>

namespace brisance::rigid {

/// Principal moments and the rotation from principal axes to the rest frame.
struct PrincipalAxes {
  Vec3 moments;
  Eigen::Quaterniond to_rest;
};
[[nodiscard]] PrincipalAxes principal_axes(const Mat3& inertia);

/// Shapes of one body, owned outside of Bullet.
struct Collision {
  btCompoundShape compound;
  std::vector<std::unique_ptr<btCollisionShape>> parts;

  void add(std::unique_ptr<btCollisionShape> part) {
    compound.addChildShape(btTransform::getIdentity(), part.get());
    parts.push_back(std::move(part));
  }
};

/// The hull of points, shrunk by the margin that Bullet adds around it, as far as its size allows; where it does not, a
/// tight hull's margin is reduced to the same distance.
[[nodiscard]] std::unique_ptr<btConvexHullShape> hull_shape(const std::vector<btVector3>& points, bool tight);

/// The surface of a fixed or kinematic solid: bodies collide with its triangles.
[[nodiscard]] std::unique_ptr<btCollisionShape> triangle_shape(const std::vector<btVector3>& vertices,
                                                               const std::vector<std::array<std::int32_t, 3>>& corners);

}  // namespace brisance::rigid
