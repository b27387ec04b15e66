// Contact offset of nodes that a cut makes inside a curved body, below the chord between their parents.
#include "brisance/contact/rigid/rigid_contact.hpp"

#include <algorithm>

namespace brisance::contact {

double RigidColliders::depth(const Vec3& point) const {
  double deepest = 0;
  for (std::size_t i = 0; i < size(); ++i) deepest = std::max(deepest, -distance_in_body(i, point).distance);
  return deepest;
}

double RigidColliders::depth_in(std::size_t body, const Vec3& point, double offset) const {
  return std::max(0.0, -distance_in_body(body, point).distance - offset);
}

double offset_at_birth(const RigidColliders& colliders, const Vec3& position, double t, const EdgeEnd& a,
                       const EdgeEnd& b) {
  double offset = 0;
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    const double inherited =
        (1 - t) * colliders.depth_in(i, a.position, a.offset) + t * colliders.depth_in(i, b.position, b.offset);
    offset = std::max(offset, colliders.depth_in(i, position, 0) - inherited);
  }
  return offset;
}

}  // namespace brisance::contact
