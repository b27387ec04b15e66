/// Volume integrals of a closed triangle surface.
#pragma once

#include "brisance/contact/shapes/rigid_mesh.hpp"

namespace brisance::contact {

struct VolumeIntegrals {
  double volume = 0;           ///< ∫ 1 [m³]
  Vec3 first = Vec3::Zero();   ///< ∫ x [m⁴]
  Mat3 second = Mat3::Zero();  ///< ∫ x xᵀ [m⁵]
};

/// Exact for the polyhedron, but for rounding: sums over the tets from the origin to each triangle. Local.
[[nodiscard]] VolumeIntegrals volume_integrals(std::span<const Vec3> vertices,
                                               std::span<const RigidMesh::Triangle> triangles);

/// Inertia of the solid about the origin, tr(∫ x xᵀ) 1 − ∫ x xᵀ. Axes that are the body's own stay so if the products
/// of inertia vanish, as for a block along its axes. Local.
[[nodiscard]] Inertia inertia_of(const Mat3& second);

}  // namespace brisance::contact
