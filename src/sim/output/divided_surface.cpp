#include "divided_surface.hpp"

#include "brisance/dist/mesh_fields.hpp"

namespace brisance::sim {

std::vector<DividedSurfaceRow> divided_surface(const dist::Mesh& mesh, std::span<const std::int32_t> elements) {
  std::vector<DividedSurfaceRow> rows;
  std::vector<elements::SurfaceTriangle> triangles;
  const auto add = [&](LocalElement e, std::int64_t source) {
    for (const auto& corners : triangles) rows.push_back({.element = e, .source = source, .corners = corners});
    triangles.clear();
  };
  for (const std::int32_t slot : elements) {
    const LocalElement e(slot);
    const dist::Division& division = mesh.field(dist::kDivision)[e];
    const int block = static_cast<int>(division.block);
    const auto& sources = mesh.field(dist::kFaceSource)[e];
    for (int opposite = 0; opposite < 4; ++opposite) {
      const std::int64_t source = sources[static_cast<std::size_t>(opposite)];
      if (source < 0) continue;
      elements::append_face(division.partition, block, opposite, triangles);
      add(e, source);
    }
    elements::append_crack_faces(division.partition, block, triangles);
    add(e, mesh::kNoSourceTriangle);
  }
  return rows;
}

}  // namespace brisance::sim
