#include "mesh/solids/shape_quadrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>

namespace brisance::mesh::solids {
namespace {

using Tree = CGAL::AABB_tree<CGAL::AABB_traits<CgalKernel, CGAL::AABB_face_graph_triangle_primitive<CgalMesh>>>;

constexpr double kFreedom = 0.03;        // weight of the wanted position; the planes' weights sum to 1
constexpr double kOtherSide = -0.3;      // cosine of normals: a thin body's other side
constexpr double kLeastWeight = 1e-300;  // lower bound: no division by zero

/// Barycentric coordinates of a point of a triangle.
std::array<double, 3> shares(const std::array<Vec3, 3>& corner, const Vec3& x) {
  const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  std::array<double, 3> share{1.0 / 3, 1.0 / 3, 1.0 / 3};
  const double squared = normal.squaredNorm();
  if (!(squared > 0)) return share;
  for (int i = 0; i < 3; ++i) {
    const Vec3 &b = corner[(i + 1) % 3], &c = corner[(i + 2) % 3];
    share[i] = std::clamp((c - b).cross(x - b).dot(normal) / squared, 0.0, 1.0);
  }
  return share;
}

}  // namespace

ShapeQuadrics::ShapeQuadrics(const CgalMesh& mesh, const std::vector<Patch>& patches)
    : quadrics_(mesh.number_of_vertices()) {
  if (patches.empty()) return;
  Tree tree(faces(mesh).begin(), faces(mesh).end(), mesh);
  tree.accelerate_distance_queries();
  Tree::Point_and_primitive_id last;
  for (std::size_t n = 0; n < patches.size(); ++n) {
    const Patch& patch = patches[n];
    // A patch of the same triangle is near: its closest point bounds the search.
    last = n > 0 && patches[n - 1].normal == patch.normal
               ? tree.closest_point_and_primitive(as_point(patch.middle), last)
               : tree.closest_point_and_primitive(as_point(patch.middle));
    const auto& [nearest, face] = last;
    std::array<CgalMesh::Vertex_index, 3> vertices;
    std::array<Vec3, 3> corner;
    int i = 0;
    for (const auto v : mesh.vertices_around_face(mesh.halfedge(face))) {
      vertices[i] = v;
      corner[i++] = as_vec3(mesh.point(v));
    }
    const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
    if (normal.dot(patch.normal) < kOtherSide * normal.norm()) continue;
    const auto share = shares(corner, as_vec3(nearest));
    for (int k = 0; k < 3; ++k) {
      Quadric& q = quadrics_[vertices[k]];
      const double weight = share[k] * patch.area_m2;
      q.a += weight * patch.normal * patch.normal.transpose();
      q.r += weight * patch.normal.dot(patch.middle) * patch.normal;
      q.weight += weight;
    }
  }
}

Vec3 ShapeQuadrics::best_near(CgalMesh::Vertex_index v, const Vec3& x) const {
  const Quadric& q = quadrics_[v];
  if (!(q.weight > kLeastWeight)) return x;
  const Mat3 a = q.a / q.weight + kFreedom * Mat3::Identity();
  return x + a.ldlt().solve(Vec3((q.r - q.a * x) / q.weight));
}

}  // namespace brisance::mesh::solids
