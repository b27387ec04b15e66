#include "brisance/rigid/hull.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include <LinearMath/btConvexHullComputer.h>

namespace brisance::rigid {

HullCorners hull_corners(std::span<const Vec3> points) {
  if (points.size() < 4) return {};
  std::vector<btVector3> local;  // relative to a corner, so that no digits are lost far from the origin
  for (const Vec3& x : points) local.emplace_back(x.x() - points[0].x(), x.y() - points[0].y(), x.z() - points[0].z());
  btConvexHullComputer hull;
  hull.compute(local.front().m_floats, sizeof(btVector3), static_cast<int>(local.size()), 0, 0);
  HullCorners made;
  for (int v = 0; v < hull.original_vertex_index.size(); ++v) made.corners.push_back(hull.original_vertex_index[v]);
  double six_volumes = 0;
  for (int f = 0; f < hull.faces.size(); ++f) {
    const btConvexHullComputer::Edge* const first = &hull.edges[hull.faces[f]];
    const int apex = first->getSourceVertex();
    for (const auto* edge = first->getNextEdgeOfFace(); edge->getTargetVertex() != apex;
         edge = edge->getNextEdgeOfFace()) {
      const int from = edge->getSourceVertex(), to = edge->getTargetVertex();
      six_volumes += hull.vertices[apex].cross(hull.vertices[from]).dot(hull.vertices[to]);
      made.triangles.push_back({made.corners[apex], made.corners[from], made.corners[to]});
    }
  }
  if (six_volumes < 0)  // Bullet's faces are seen from inside anticlockwise
    for (auto& triangle : made.triangles) std::swap(triangle[1], triangle[2]);
  made.volume = std::abs(six_volumes) / 6;
  return made;
}

double hull_volume(std::span<const Vec3> points) { return hull_corners(points).volume; }

}  // namespace brisance::rigid
