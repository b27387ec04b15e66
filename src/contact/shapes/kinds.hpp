/// The table of collider shapes. A new one is a row here, an enumerator of ColliderShape and a file of its own.
#pragma once

#include "brisance/contact/shapes/shape_kinds.hpp"

#include <array>

namespace brisance::contact {

extern const ShapeKind kPlane, kSphere, kBox, kMesh, kCapsule;

inline constexpr std::array kShapeKinds{&kPlane, &kSphere, &kBox, &kMesh,
                                        &kCapsule};  ///< in the order of ColliderShape

}  // namespace brisance::contact
