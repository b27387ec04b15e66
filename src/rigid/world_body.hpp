/// A body in Bullet's world.
#pragma once

#include "brisance/rigid/world.hpp"

#include "collision_shapes.hpp"

#include <map>
#include <memory>

#include <btBulletDynamicsCommon.h>

namespace brisance::rigid {

struct WorldBody {
  Collision collision;
  Eigen::Quaterniond principal_to_rest;
  std::unique_ptr<btRigidBody> rigid;
  double mass = 0;  ///< [kg]
  Vec3 moments;     ///< principal moments [kg m²]
  bool is_small = false;
};
using WorldBodies = std::map<BodyNumber, std::unique_ptr<WorldBody>>;

}  // namespace brisance::rigid
