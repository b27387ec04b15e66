#include "brisance/contact/shapes/shape_kinds.hpp"

#include "kinds.hpp"

#include <cstddef>

namespace brisance::contact {

std::span<const ShapeKind* const> shape_kinds() { return kShapeKinds; }

const ShapeKind& shape_kind(ColliderShape shape) { return *kShapeKinds.at(static_cast<std::size_t>(shape)); }

std::shared_ptr<const RigidShape> make_shape(const ColliderParameters& collider) {
  return shape_kind(collider.shape).make(collider);
}

PlacedShape placed_shape(const ColliderParameters& collider, const Vec3& position,
                         const Eigen::Quaterniond& orientation) {
  return {{position, orientation.toRotationMatrix()}, make_shape(collider)};
}

}  // namespace brisance::contact
