#include "brisance/modes/body/simplices.hpp"

#include <array>

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

double simplex_volume(std::span<const Vec3> corners) {
  if (corners.size() == 3) return (corners[1] - corners[0]).cross(corners[2] - corners[0]).norm() / 2;
  return mesh::tet_volume(corners[0], corners[1], corners[2], corners[3]);
}

double cell_volume(const Simplices& mesh, std::int32_t cell) {
  std::array<Vec3, 4> x;
  const auto corner = mesh.cell(cell);
  for (std::size_t k = 0; k < corner.size(); ++k) x[k] = mesh.nodes[corner[k]];
  return simplex_volume(std::span(x).first(corner.size()));
}

Vec3 cell_centre(const Simplices& mesh, std::int32_t cell) {
  Vec3 sum = Vec3::Zero();
  for (const std::int32_t corner : mesh.cell(cell)) sum += mesh.nodes[corner];
  return sum / mesh.corners_per_cell;
}

}  // namespace brisance::modes
