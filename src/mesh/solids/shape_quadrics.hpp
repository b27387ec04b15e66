/// Quadrics: squared distances of a mesh vertex from the planes of the shape around it.
#pragma once

#include "mesh/solids/target_shape.hpp"

#include <vector>

namespace brisance::mesh::solids {

/// For each vertex of a mesh the planes of the patches of the shape whose nearest triangle is one of the vertex's own,
/// weighted by area and by nearness to the vertex: Garland and Heckbert's quadrics.
class ShapeQuadrics {
public:
  /// @param mesh  without removed elements
  ShapeQuadrics(const CgalMesh& mesh, const std::vector<Patch>& patches);

  /// The point with the least mean squared distance from the vertex's planes; where these do not determine it (along a
  /// plane or a ridge), the one near x. x itself if the vertex has none.
  [[nodiscard]] Vec3 best_near(CgalMesh::Vertex_index v, const Vec3& x) const;

private:
  /// Σ w (n·(x − p))² = xᵀ A x − 2 rᵀ x + …
  struct Quadric {
    Mat3 a = Mat3::Zero();
    Vec3 r = Vec3::Zero();
    double weight = 0;
  };
  std::vector<Quadric> quadrics_;
};

}  // namespace brisance::mesh::solids
