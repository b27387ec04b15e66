#include "collision_shapes.hpp"

#include <algorithm>

#include <LinearMath/btConvexHullComputer.h>

namespace brisance::rigid {

namespace {

/// Margin of hulls, which are shrunk by as much.
constexpr double kMargin = 0.01, kThinnestMargin = 1e-5;

struct Triangles {
  explicit Triangles(const std::vector<btVector3>& vertices, const std::vector<std::array<std::int32_t, 3>>& corners) {
    for (const auto& [a, b, c] : corners) triangles.addTriangle(vertices[a], vertices[b], vertices[c]);
  }
  btTriangleMesh triangles;
};
class MeshShape : private Triangles, public btBvhTriangleMeshShape {
public:
  MeshShape(const std::vector<btVector3>& vertices, const std::vector<std::array<std::int32_t, 3>>& corners)
      : Triangles(vertices, corners), btBvhTriangleMeshShape(&(Triangles::triangles), true) {
    setMargin(kThinnestMargin);
  }
};

}  // namespace

PrincipalAxes principal_axes(const Mat3& inertia) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia);
  Mat3 axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) *= -1;
  return {solver.eigenvalues(), Eigen::Quaterniond(axes)};
}

std::unique_ptr<btConvexHullShape> hull_shape(const std::vector<btVector3>& points, bool tight) {
  btConvexHullComputer computer;
  const btScalar pulled_in =
      computer.compute(points.front().m_floats, sizeof(btVector3), static_cast<int>(points.size()), kMargin, 0.4);
  auto hull = std::make_unique<btConvexHullShape>();
  for (int i = 0; i < computer.vertices.size(); ++i) hull->addPoint(computer.vertices[i], false);
  if (computer.vertices.size() == 0)  // flatter than the margin
    for (const btVector3& point : points) hull->addPoint(point, false);
  hull->recalcLocalAabb();
  hull->setMargin(tight ? std::clamp<btScalar>(pulled_in, kThinnestMargin, kMargin) : kMargin);
  return hull;
}

std::unique_ptr<btCollisionShape> triangle_shape(const std::vector<btVector3>& vertices,
                                                 const std::vector<std::array<std::int32_t, 3>>& corners) {
  return std::make_unique<MeshShape>(vertices, corners);
}

}  // namespace brisance::rigid
