#include "render/geometry/colliders.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brisance::render {
namespace {

using Collider = io::SnapshotHeader::Collider;

Eigen::Quaterniond orientation_of(const Collider& collider) {
  const auto& [w, x, y, z] = collider.orientation;
  return Eigen::Quaterniond(w, x, y, z).normalized();
}

Triangle coloured(const std::array<Vec3, 3>& corners, const std::array<Vec3, 3>& normals, const Rgb& albedo) {
  Triangle triangle;
  for (int c = 0; c < 3; ++c) {
    triangle.position[c] = corners[c].cast<float>();
    triangle.normal[c] = normals[c].cast<float>();
    triangle.albedo[c] = albedo;
  }
  return triangle;
}

/// The normal of a frame is turned already, unlike the shapes of other colliders.
void add_plane(Geometry& geometry, const Collider& collider) {
  const Vec3 normal = collider.size.normalized();
  geometry.planes.push_back(
      {.normal = normal.cast<float>(), .offset = static_cast<float>(normal.dot(collider.centre - geometry.origin))});
}

void add_sphere(Geometry& geometry, const Collider& collider, const Rgb& albedo) {
  constexpr int kRings = 48, kSegments = 96;
  auto direction = [](int ring, int segment) {
    const double theta = std::numbers::pi * ring / kRings, phi = 2 * std::numbers::pi * segment / kSegments;
    return Vec3(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
  };
  const Vec3 centre = collider.centre - geometry.origin;
  auto add = [&](const std::array<Vec3, 3>& n) {
    const double radius = collider.size[0];
    geometry.triangles.push_back(
        coloured({centre + radius * n[0], centre + radius * n[1], centre + radius * n[2]}, n, albedo));
  };
  for (int ring = 0; ring < kRings; ++ring)
    for (int segment = 0; segment < kSegments; ++segment) {
      const Vec3 a = direction(ring, segment), b = direction(ring + 1, segment);
      const Vec3 c = direction(ring + 1, segment + 1), d = direction(ring, segment + 1);
      if (ring + 1 < kRings) add({a, b, c});
      if (ring > 0) add({a, c, d});
    }
}

void add_box(Geometry& geometry, const Collider& collider, const Rgb& albedo) {
  const Eigen::Quaterniond orientation = orientation_of(collider);
  const Vec3 centre = collider.centre - geometry.origin;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      // the face x[axis] = side, its corners counter-clockwise as seen from outside
      auto corner = [&](double u, double v) {
        Vec3 unit;
        unit[axis] = side;
        unit[(axis + 1) % 3] = u * side;
        unit[(axis + 2) % 3] = v;
        return Vec3(centre + orientation * Vec3(0.5 * unit.cwiseProduct(collider.size)));
      };
      const Vec3 normal = orientation * Vec3(side * Vec3::Unit(axis));
      const std::array<Vec3, 3> normals{normal, normal, normal};
      geometry.triangles.push_back(coloured({corner(-1, -1), corner(1, -1), corner(1, 1)}, normals, albedo));
      geometry.triangles.push_back(coloured({corner(-1, -1), corner(1, 1), corner(-1, 1)}, normals, albedo));
    }
}

/// Outward normals at a mesh's corners: area-weighted means over triangles whose angle is within kLeastCosine.
std::vector<std::array<Vec3, 3>> corner_normals(std::span<const Vec3> vertices,
                                                std::span<const std::array<std::int32_t, 3>> triangles) {
  constexpr double kLeastCosine = 0.8;  // 37°
  std::vector<Vec3> area;
  std::vector<std::vector<std::size_t>> around(vertices.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& [a, b, c] = triangles[t];
    area.push_back((vertices[a] - vertices[c]).cross(vertices[b] - vertices[c]));
    for (const std::int32_t corner : triangles[t]) around[corner].push_back(t);
  }
  std::vector<std::array<Vec3, 3>> normals(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      Vec3 sum = Vec3::Zero();
      for (const std::size_t other : around[triangles[t][k]])
        if (area[other].normalized().dot(area[t].normalized()) >= kLeastCosine) sum += area[other];
      normals[t][k] = sum.normalized();
    }
  return normals;
}

void add_mesh(Geometry& geometry, const Collider& collider, const Rgb& albedo) {
  const Eigen::Quaterniond orientation = orientation_of(collider);
  const Vec3 centre = collider.centre - geometry.origin;
  const auto normals = corner_normals(collider.vertices, collider.triangles);
  for (std::size_t t = 0; t < collider.triangles.size(); ++t) {
    std::array<Vec3, 3> corners, turned;
    for (std::size_t k = 0; k < 3; ++k) {
      corners[k] = centre + orientation * collider.vertices[collider.triangles[t][k]];
      turned[k] = orientation * normals[t][k];
    }
    geometry.triangles.push_back(coloured(corners, turned, albedo));
  }
}

void add_collider(Geometry& geometry, const Collider& collider, const Rgb& albedo) {
  if (collider.kind == "plane") {
    add_plane(geometry, collider);
  } else if (collider.kind == "sphere") {
    add_sphere(geometry, collider, albedo);
  } else if (collider.kind == "box") {
    add_box(geometry, collider, albedo);
  } else if (!collider.triangles.empty()) {
    add_mesh(geometry, collider, albedo);
  } else {
    throw core::Error("collider \"" + collider.name + "\" has the unknown kind \"" + collider.kind +
                      "\" (known: plane, sphere, box, mesh).");
  }
}

/// Sets surface and solid of the triangles from `first` on, or of the last plane; positions at rest are in the
/// collider's own frame.
void mark(Geometry& geometry, std::size_t first, const Collider& collider, std::uint32_t surface) {
  const std::uint32_t solid = geometry.num_solids++;
  const Vec3 centre = collider.centre - geometry.origin;
  const Eigen::Quaterniond to_body = orientation_of(collider).conjugate();
  for (std::size_t t = first; t < geometry.triangles.size(); ++t) {
    Triangle& triangle = geometry.triangles[t];
    triangle.surface = surface;
    triangle.solid = solid;
    for (int c = 0; c < 3; ++c)
      triangle.rest[c] = (to_body * (triangle.position[c].cast<double>() - centre)).cast<float>();
  }
  if (collider.kind != "plane") return;
  geometry.planes.back().surface = surface;
  geometry.planes.back().solid = solid;
}

}  // namespace

void add_colliders(Geometry& geometry, std::span<const Collider> colliders, const Rgb& albedo,
                   std::uint32_t first_surface) {
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    const std::size_t first = geometry.triangles.size();
    add_collider(geometry, colliders[i], albedo);
    mark(geometry, first, colliders[i], first_surface + static_cast<std::uint32_t>(i));
  }
}

double bounding_radius(const Collider& collider) {
  if (collider.kind == "sphere") return collider.size[0];
  double radius = 0;
  for (const Vec3& vertex : collider.vertices) radius = std::max(radius, vertex.norm());
  if (radius > 0) return radius;
  return collider.kind == "box" ? 0.5 * collider.size.norm() : 0;
}

}  // namespace brisance::render
