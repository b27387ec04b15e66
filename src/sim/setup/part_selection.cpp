#include "part_selection.hpp"

#include "brisance/mesh/generate/closed_surface.hpp"

#include "masonry.hpp"
#include "sim/places.hpp"

#include <Eigen/Geometry>

namespace brisance::sim {

namespace {

std::vector<std::size_t> tets_where(const mesh::TetMesh& mesh, const auto& holds) {
  std::vector<std::size_t> found;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    if (holds(t)) found.push_back(t);
  return found;
}

std::vector<std::size_t> tets_in_surface(const PartParameters& part, const PlacedObject& placed) {
  const mesh::Surface surface = mesh::read_closed_surface(part.file, part.scale);
  Eigen::AlignedBox3d box;
  for (const Vec3& x : surface.vertices) box.extend(x);
  return tets_where(placed.mesh, [&](std::size_t t) {
    const Vec3 middle = middle_of(corners_of(placed, part.frame, t));
    return box.contains(middle) && mesh::winding_number(surface, middle) > 0.5;
  });
}

bool holds(const PartParameters& part, const std::array<Vec3, 4>& corners) {
  const Vec3 middle = middle_of(corners);
  switch (part.shape) {
    case PartShape::box:
      return in_box(part, middle);
    case PartShape::sphere:
      return in_sphere(part, middle);
    case PartShape::half_space:
      return in_half_space(part, middle);
    case PartShape::cylinder:
      return in_cylinder(part, middle);
    case PartShape::mortar:
      return is_mortar(part, corners);
    case PartShape::group:
    case PartShape::surface:
      break;  // tets_of_part
  }
  return false;
}

}  // namespace

std::array<Vec3, 4> corners_of(const PlacedObject& placed, Frame frame, std::size_t tet) {
  const std::span<const Vec3> x = placed.nodes(frame);
  const auto& [a, b, c, d] = placed.mesh.tets[tet];
  return {x[a], x[b], x[c], x[d]};
}

Vec3 middle_of(const std::array<Vec3, 4>& corners) { return (corners[0] + corners[1] + corners[2] + corners[3]) / 4; }

std::vector<std::size_t> tets_of_part(const PartParameters& part, const PlacedObject& placed) {
  const mesh::TetMesh& mesh = placed.mesh;
  if (part.shape == PartShape::group) {
    if (mesh.group.empty()) return {};
    return tets_where(mesh, [&](std::size_t t) { return mesh::has_name(mesh.groups, mesh.group[t], part.group); });
  }
  if (part.shape == PartShape::surface) return tets_in_surface(part, placed);
  return tets_where(mesh, [&](std::size_t t) { return holds(part, corners_of(placed, part.frame, t)); });
}

}  // namespace brisance::sim
