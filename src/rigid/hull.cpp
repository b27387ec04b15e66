#include "brisance/rigid/hull.hpp"

#include <cmath>
#include <vector>

#include <LinearMath/btConvexHullComputer.h>

namespace brisance::rigid {

HullCorners hull_corners(std::span<const Vec3> points) {
  if (points.size() < 4) return {};
  std::vector<btVector3> local;  // relative to a corner, so that no digits are lost far from the origin
  for (const Vec3& x : points) local.emplace_back(x.x() - points[0].x(), x.y() - points[0].y(), x.z() - points[0].z());
  btConvexHullComputer hull;
  hull.compute(local.front().m_floats, sizeof(btVector3), static_cast<int>(local.size()), 0, 0);
  double six_volumes = 0;
  for (int f = 0; f < hull.faces.size(); ++f) {
    const btConvexHullComputer::Edge* const first = &hull.edges[hull.faces[f]];
    const btVector3& apex = hull.vertices[first->getSourceVertex()];
    for (const auto* edge = first->getNextEdgeOfFace(); edge != first; edge = edge->getNextEdgeOfFace())
      six_volumes += apex.cross(hull.vertices[edge->getSourceVertex()]).dot(hull.vertices[edge->getTargetVertex()]);
  }
  HullCorners made{std::abs(six_volumes) / 6, {}};
  for (int v = 0; v < hull.original_vertex_index.size(); ++v) made.corners.push_back(hull.original_vertex_index[v]);
  return made;
}

double hull_volume(std::span<const Vec3> points) { return hull_corners(points).volume; }

}  // namespace brisance::rigid
