#include "brisance/contact/surface/divided_surface.hpp"

#include "brisance/dist/division.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <algorithm>

namespace brisance::contact {

namespace {

DividedCorner corner_of(const dist::Mesh& mesh, LocalElement e, const elements::Barycentric& point) {
  DividedCorner corner;
  for (int i = 0; i < 4; ++i)
    if (point[static_cast<std::size_t>(i)] != 0) {
      auto place = static_cast<std::size_t>(corner.count++);
      const LocalNode n = mesh.corner(e, i);
      for (; place > 0 && mesh.node_id[n] < mesh.node_id[corner.node[place - 1]]; --place) {
        corner.node[place] = corner.node[place - 1];
        corner.weight[place] = corner.weight[place - 1];
      }
      corner.node[place] = n;
      corner.weight[place] = point[static_cast<std::size_t>(i)];
    }
  return corner;
}

std::uint8_t outside_of(const dist::Mesh& mesh, LocalElement e) {
  std::uint8_t bits = 0;
  const auto& sources = mesh.field(dist::kFaceSource)[e];
  for (std::size_t k = 0; k < 4; ++k)
    if (sources[k] != mesh::kNoSourceTriangle) bits |= static_cast<std::uint8_t>(1U << k);
  return bits;
}

/// The block's vertices are the farthest points of its material.
double reach_behind(const dist::Mesh& mesh, LocalElement e, const dist::Division& division,
                    const std::array<Vec3, 3>& x) {
  const Vec3 normal = (x[1] - x[0]).cross(x[2] - x[0]).normalized();
  double reach = 0;
  for (int i = 0; i < 4; ++i)
    if (division.partition.block[static_cast<std::size_t>(i)] == division.block)
      reach = std::max(reach, normal.dot(x[0] - mesh.rest[mesh.corner(e, i)]));
  return reach;
}

}  // namespace

double DividedCorner::weight_at(LocalNode n) const {
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
    if (node[k] == n) return weight[k];
  return 0;
}

Vec3 DividedCorner::rest(const dist::Mesh& mesh) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) sum += weight[k] * mesh.rest[node[k]];
  return sum;
}

void find_surface(const dist::Mesh& mesh, LocalElement e, std::vector<DividedTriangle>& triangles) {
  triangles.clear();
  const dist::Division& division = mesh.field(dist::kDivision)[e];
  const std::uint8_t outside = outside_of(mesh, e);
  if (division.partition.is_whole() && outside == 0) return;
  std::vector<elements::NumberedTriangle> numbered;
  elements::append_surface(division.partition, static_cast<int>(division.block), outside, numbered);
  for (const elements::NumberedTriangle& one : numbered) {
    DividedTriangle& triangle = triangles.emplace_back();
    triangle.key = elements::kMostTriangles * mesh.element_id[e].value + one.number;
    std::array<Vec3, 3> x;
    for (std::size_t k = 0; k < 3; ++k) {
      triangle.corner[k] = corner_of(mesh, e, one.corners[k]);
      x[k] = triangle.corner[k].rest(mesh);
    }
    triangle.rest_area = 0.5 * (x[1] - x[0]).cross(x[2] - x[0]).norm();
    triangle.behind_m = reach_behind(mesh, e, division, x);
  }
}

}  // namespace brisance::contact
