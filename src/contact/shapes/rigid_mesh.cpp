// A solid from its triangles: checks, centring, distance queries.
#include "brisance/contact/shapes/rigid_mesh.hpp"

#include "brisance/contact/parameters.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"

#include "contact/box_list.hpp"
#include "contact/box_tree.hpp"
#include "rigid_mesh_volume.hpp"
#include "rigid_triangle.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace brisance::contact {
namespace {

constexpr double kRounding = 1e-12;  ///< over the body's extent: more than the rounding error of a distance
constexpr double kOnSurface = 1e-9;  ///< over the extent: below it the direction to the nearest point is rounding

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

struct HalfEdge {
  std::int32_t low, high;  ///< its vertices
  bool forward;            ///< from low to high
  std::int32_t triangle;
  int edge;
};

[[noreturn]] void refuse(const char* what, const Vec3& where) {
  throw core::Error(fmt::format("the surface {} near ({:.6g}, {:.6g}, {:.6g}) m. Close and orient it in a mesh editor.",
                                what, where.x(), where.y(), where.z()));
}

std::vector<HalfEdge> sorted_half_edges(std::span<const RigidMesh::Triangle> triangles) {
  std::vector<HalfEdge> edges;
  edges.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const std::int32_t from = triangles[t][index(k)], to = triangles[t][index((k + 1) % 3)];
      edges.push_back({std::min(from, to), std::max(from, to), from < to, static_cast<std::int32_t>(t), k});
    }
  std::sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
    return std::tie(a.low, a.high, a.forward, a.triangle) < std::tie(b.low, b.high, b.forward, b.triangle);
  });
  return edges;
}

std::uint64_t digest_of(std::span<const Vec3> vertices, std::span<const RigidMesh::Triangle> triangles) {
  std::uint64_t h = core::hash_bits(vertices.size(), triangles.size(), 0);
  for (const Vec3& x : vertices)
    for (const double c : x) h = core::hash_bits(h, std::bit_cast<std::uint64_t>(c), 1);
  for (const auto& t : triangles)
    for (const std::int32_t v : t) h = core::hash_bits(h, static_cast<std::uint64_t>(v), 2);
  return h;
}

/// Boxes enlarged a little, so that rounding hides no triangle.
std::vector<Box> boxes_of(std::span<const Vec3> vertices, std::span<const RigidMesh::Triangle> triangles,
                          double tolerance) {
  std::vector<Box> boxes;
  boxes.reserve(triangles.size());
  for (const auto& [a, b, c] : triangles) {
    Box box = box_around(std::array{vertices[index(a)], vertices[index(b)], vertices[index(c)]});
    box.low.array() -= tolerance;
    box.high.array() += tolerance;
    boxes.push_back(box);
  }
  return boxes;
}

/// Triangles in the tree's order, and vertices in the order of the triangles: data that a search reads is contiguous.
void sort_by_place(std::vector<Vec3>& vertices, std::vector<RigidMesh::Triangle>& triangles) {
  const BoxTree tree(boxes_of(vertices, triangles, 0));
  std::vector<std::int32_t> number(vertices.size(), -1);
  std::vector<Vec3> sorted_vertices;
  std::vector<RigidMesh::Triangle> sorted;
  for (const std::int32_t t : tree.order()) {
    RigidMesh::Triangle& corners = sorted.emplace_back(triangles[index(t)]);
    for (std::int32_t& corner : corners) {
      std::int32_t& now = number[index(corner)];
      if (now < 0) {
        now = static_cast<std::int32_t>(sorted_vertices.size());
        sorted_vertices.push_back(vertices[index(corner)]);
      }
      corner = now;
    }
  }
  vertices = std::move(sorted_vertices);
  triangles = std::move(sorted);
}

double distance_squared(const Box& box, const Vec3& x) {
  return (box.low - x).cwiseMax(x - box.high).cwiseMax(0.0).squaredNorm();
}

}  // namespace

RigidMesh::RigidMesh(std::vector<Vec3> vertices, std::vector<Triangle> triangles)
    : vertices_(std::move(vertices)), triangles_(std::move(triangles)) {
  if (triangles_.empty() || vertices_.empty()) throw core::Error("the surface has no triangle.");
  digest_ = digest_of(vertices_, triangles_);
  sort_by_place(vertices_, triangles_);
  join_triangles();

  // About the middle first, so that a body far from its file's origin loses no digits.
  const Box in_file = box_around(vertices_);
  const Vec3 middle = 0.5 * (in_file.low + in_file.high);
  for (Vec3& x : vertices_) x -= middle;
  const double extent = (in_file.high - in_file.low).norm();
  const VolumeIntegrals about_middle = volume_integrals(vertices_, triangles_);
  if (!(about_middle.volume > 1e-12 * extent * extent * extent))
    throw core::Error(
        fmt::format("the surface encloses {} ({:.3g} m³).",
                    about_middle.volume < 0 ? "the outside: its triangles face inwards" : "no volume: it is flat",
                    about_middle.volume));
  const Vec3 centre = about_middle.first / about_middle.volume;
  for (Vec3& x : vertices_) x -= centre;
  centre_in_file_ = middle + centre;
  const VolumeIntegrals about_centre = volume_integrals(vertices_, triangles_);
  volume_m3_ = about_centre.volume;
  inertia_ = inertia_of(about_centre.second);
  bounds_ = box_around(vertices_);
  for (const Vec3& x : vertices_) reach_ = std::max(reach_, x.norm());

  weigh_corners();
  triangle_tree_ = std::make_unique<const BoxTree>(boxes_of(vertices_, triangles_, kRounding * reach_));
  place_samples();
  find_outside();
}

RigidMesh::~RigidMesh() = default;

bool RigidMesh::operator==(const RigidMesh& other) const {
  return digest_ == other.digest_ && vertices_ == other.vertices_ && triangles_ == other.triangles_;
}

void RigidMesh::join_triangles() {
  neighbours_.resize(triangles_.size());
  const std::vector<HalfEdge> edges = sorted_half_edges(triangles_);
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i;
    while (end < edges.size() && edges[end].low == edges[i].low && edges[end].high == edges[i].high) ++end;
    const Vec3 where = 0.5 * (vertices_[index(edges[i].low)] + vertices_[index(edges[i].high)]);
    if (end - i == 1) refuse("is open: an edge has a triangle on one side only,", where);
    if (end - i > 2) refuse("has an edge of more than two triangles", where);
    const HalfEdge &a = edges[i], &b = edges[i + 1];
    if (a.forward == b.forward) refuse("has no consistent outside: neighbours face opposite ways", where);
    neighbours_[index(a.triangle)][index(a.edge)] = b.triangle;
    neighbours_[index(b.triangle)][index(b.edge)] = a.triangle;
    i = end;
  }
}

void RigidMesh::weigh_corners() {
  vertex_normals_.assign(vertices_.size(), Vec3::Zero());
  normals_.reserve(triangles_.size());
  for (const Triangle& t : triangles_) {
    const std::array<Vec3, 3> x{vertices_[index(t[0])], vertices_[index(t[1])], vertices_[index(t[2])]};
    const Vec3& normal = normals_.emplace_back((x[1] - x[0]).cross(x[2] - x[0]).normalized());
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 u = x[(k + 1) % 3] - x[k], v = x[(k + 2) % 3] - x[k];
      vertex_normals_[index(t[k])] += std::atan2(u.cross(v).norm(), u.dot(v)) * normal;
    }
  }
}

NearestPoint RigidMesh::nearest(const Vec3& point) const {
  NearestPoint best;
  best.triangle = std::numeric_limits<std::int32_t>::max();
  best.distance_squared = std::numeric_limits<double>::infinity();
  const auto bound = [&](const Box& box) { return (1 - kRounding) * distance_squared(box, point); };
  triangle_tree_->nearest_first(best.distance_squared, bound, [&](std::int32_t t) {
    const Triangle& corners = triangles_[index(t)];
    const TrianglePoint on = nearest_of_triangle(vertices_[index(corners[0])], vertices_[index(corners[1])],
                                                 vertices_[index(corners[2])], point);
    const double squared = (point - on.point).squaredNorm();
    if (squared < best.distance_squared || (squared == best.distance_squared && t < best.triangle))
      best = {t, on, squared};
    return best.distance_squared;
  });
  return best;
}

// [BA05]: for any nearest part of the surface, the angle-weighted sum of the normals around it distinguishes inside
// from outside.
Vec3 RigidMesh::pseudonormal(const NearestPoint& nearest) const {
  const std::size_t t = index(nearest.triangle);
  const auto part = static_cast<std::size_t>(nearest.on.part);
  if (nearest.on.part == TrianglePart::inside) return normals_[t];
  if (nearest.on.part < TrianglePart::edge_0) return vertex_normals_[index(triangles_[t][part - 1])];
  return normals_[t] + normals_[index(neighbours_[t][part - 4])];
}

double RigidMesh::signed_distance(const Vec3& point, Vec3& normal) const {
  const NearestPoint found = nearest(point);
  const Vec3 outward = pseudonormal(found), apart = point - found.on.point;
  if (found.on.part == TrianglePart::inside) {
    normal = outward;
    return outward.dot(apart);
  }
  const double distance = std::sqrt(found.distance_squared), side = outward.dot(apart) < 0 ? -1 : 1;
  normal = distance > kOnSurface * reach_ ? Vec3(side / distance * apart) : outward.normalized();
  return side * distance;
}

bool SharedMesh::operator==(const SharedMesh& other) const {
  return mesh == other.mesh || (mesh && other.mesh && *mesh == *other.mesh);
}

}  // namespace brisance::contact
