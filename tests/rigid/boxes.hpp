/// Boxes and their motions for tests of rigid bodies.
#pragma once

#include "brisance/rigid/world.hpp"

namespace brisance::rigid {

/// A box [0,x]×[0,y]×[0,z] of density 1000 that is placed with its rest frame's origin at `corner`.
inline BodyShape box(const Vec3& size, const Vec3& corner = Vec3::Zero()) {
  BodyShape shape;
  shape.mass = 1000 * size.prod();
  shape.centre = corner + size / 2;
  const Vec3 squares = size.cwiseProduct(size);
  shape.inertia = (shape.mass / 12 * (Vec3::Constant(squares.sum()) - squares)).asDiagonal();
  shape.hulls.emplace_back();
  for (int k = 0; k < 8; ++k) shape.hulls[0].push_back(corner + Vec3(k & 1, k >> 1 & 1, k >> 2 & 1).cwiseProduct(size));
  return shape;
}

inline Motion at(const Vec3& position, const Vec3& velocity = Vec3::Zero()) {
  Motion motion;
  motion.position = position;
  motion.velocity = velocity;
  return motion;
}

inline WorldParameters weightless(double length_m) {
  WorldParameters p;
  p.gravity = Vec3::Zero();
  p.length_m = length_m;
  return p;
}

}  // namespace brisance::rigid
