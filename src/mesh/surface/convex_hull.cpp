#include "brisance/mesh/surface/convex_hull.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>

namespace brisance::mesh {
namespace {

using HullKernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using HullMesh = CGAL::Surface_mesh<HullKernel::Point_3>;

Vec3 area_vector(const ConvexHull& hull, const std::array<std::int32_t, 3>& t) {
  const Vec3 a = hull.vertices[t[0]];
  return (hull.vertices[t[1]] - a).cross(hull.vertices[t[2]] - a) / 2;
}

double volume_of(const ConvexHull& hull) {
  double sum = 0;
  for (const auto& t : hull.triangles) sum += area_vector(hull, t).dot(hull.vertices[t[0]] - hull.vertices[0]) / 3;
  return sum;
}

Vec3 mean_of(const std::vector<Vec3>& points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& x : points) sum += x;
  return sum / static_cast<double>(points.size());
}

/// Normals along which touching planes are laid: the axes, so that the space between is bounded, then normals of
/// facets, each time the one of the largest product of edge length and angle to those before.
std::vector<Vec3> chosen_normals(const ConvexHull& hull, std::size_t count) {
  std::vector<Vec3> normals;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0}) normals.emplace_back(sign * Vec3::Unit(axis));
  std::vector<Vec3> candidates;
  std::vector<double> weight, nearest;
  for (const auto& t : hull.triangles) {
    const Vec3 area = area_vector(hull, t);
    if (!(area.norm() > 0)) continue;
    candidates.push_back(area.normalized());
    weight.push_back(std::sqrt(area.norm()));
    double cosine = -1;
    for (const Vec3& n : normals) cosine = std::max(cosine, n.dot(candidates.back()));
    nearest.push_back(cosine);
  }
  constexpr double kSame = 1 - 1e-6;  // planes that are nearly parallel meet in ill-conditioned points
  while (normals.size() < count) {
    std::size_t best = candidates.size();
    double most = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (nearest[i] > kSame || weight[i] * (1 - nearest[i]) <= most) continue;
      most = weight[i] * (1 - nearest[i]);
      best = i;
    }
    if (best == candidates.size()) break;
    normals.push_back(candidates[best]);
    for (std::size_t i = 0; i < candidates.size(); ++i)
      nearest[i] = std::max(nearest[i], candidates[i].dot(normals.back()));
  }
  return normals;
}

/// The space between planes that touch the hull, as the dual of the hull of the planes' poles about the middle.
ConvexHull between_planes(const ConvexHull& hull, std::size_t num_planes) {
  const Vec3 middle = mean_of(hull.vertices);
  std::vector<Vec3> poles;
  for (const Vec3& n : chosen_normals(hull, num_planes)) {
    double distance = 0;
    for (const Vec3& x : hull.vertices) distance = std::max(distance, n.dot(x - middle));
    poles.push_back(n / distance);
  }
  constexpr double kMargin = 1 + 1e-10;  // covers the rounding of corners
  std::vector<Vec3> corners;
  const ConvexHull dual = convex_hull(poles);
  for (const auto& t : dual.triangles) {
    const Vec3 normal = area_vector(dual, t);
    corners.emplace_back(middle + kMargin * normal / normal.dot(dual.vertices[t[0]]));
  }
  return convex_hull(corners);
}

}  // namespace

ConvexHull convex_hull(std::span<const Vec3> points) {
  std::vector<HullKernel::Point_3> input;
  for (const Vec3& x : points) input.emplace_back(x[0], x[1], x[2]);
  HullMesh made;
  CGAL::convex_hull_3(input.begin(), input.end(), made);
  if (made.number_of_faces() < 4)
    throw core::Error("All points of a piece lie in one plane: it has no convex hull. Mesh the object again.");
  ConvexHull hull;
  for (const HullMesh::Vertex_index v : made.vertices())
    hull.vertices.emplace_back(made.point(v).x(), made.point(v).y(), made.point(v).z());
  for (const HullMesh::Face_index f : made.faces()) {
    std::vector<std::int32_t> corners;
    for (const HullMesh::Vertex_index v : made.vertices_around_face(made.halfedge(f)))
      corners.push_back(static_cast<std::int32_t>(v.idx()));
    for (std::size_t k = 2; k < corners.size(); ++k) hull.triangles.push_back({corners[0], corners[k - 1], corners[k]});
  }
  hull.volume_m3 = volume_of(hull);
  return hull;
}

ConvexHull enclosing_hull(std::span<const Vec3> points, std::size_t most_vertices) {
  ConvexHull hull = convex_hull(points);
  // A polyhedron of n planes has at most 2n − 4 corners.
  return hull.vertices.size() <= most_vertices ? hull : between_planes(hull, most_vertices / 2 + 2);
}

}  // namespace brisance::mesh
