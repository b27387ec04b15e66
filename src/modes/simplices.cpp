#include "brisance/modes/simplices.hpp"

namespace brisance::modes {

namespace {

template <class Cells>
std::vector<std::int32_t> flat(const Cells& cells) {
  std::vector<std::int32_t> corners;
  for (const auto& cell : cells) corners.insert(corners.end(), cell.begin(), cell.end());
  return corners;
}

}  // namespace

Simplices simplices(const mesh::TetMesh& mesh) { return {mesh.nodes, flat(mesh.tets), 4}; }

Simplices simplices(const mesh::Surface& triangles) { return {triangles.vertices, flat(triangles.triangles), 3}; }

double cell_volume(const Simplices& mesh, std::int32_t cell) {
  const auto corner = mesh.cell(cell);
  const Vec3 &a = mesh.nodes[corner[0]], &b = mesh.nodes[corner[1]], &c = mesh.nodes[corner[2]];
  if (corner.size() == 3) return (b - a).cross(c - a).norm() / 2;
  return mesh::tet_volume(a, b, c, mesh.nodes[corner[3]]);
}

Vec3 cell_centre(const Simplices& mesh, std::int32_t cell) {
  Vec3 sum = Vec3::Zero();
  for (const std::int32_t corner : mesh.cell(cell)) sum += mesh.nodes[corner];
  return sum / mesh.corners_per_cell;
}

}  // namespace brisance::modes
