/// Copies nodes for each atom, and collects the triangles between atoms and the hulls of each atom.
#include "brisance/breaking/atom_geometry.hpp"

#include "brisance/core/error.hpp"

#include "atom_hulls.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace brisance::breaking {

namespace {

/// One side of a face of the mesh: its corners, ascending, and its cell and atom.
struct Side {
  std::array<std::int32_t, 3> key;
  std::int32_t tet;
  int opposite;
};

std::vector<Side> sorted_sides(const mesh::TetMesh& mesh) {
  std::vector<Side> sides;
  sides.reserve(4 * mesh.tets.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (int k = 0; k < 4; ++k) {
      Side side{{}, static_cast<std::int32_t>(t), k};
      for (int j = 0; j < 3; ++j) side.key[j] = mesh.tets[t][mesh::kFaceCorners[k][j]];
      std::sort(side.key.begin(), side.key.end());
      sides.push_back(side);
    }
  std::sort(sides.begin(), sides.end(),
            [](const Side& a, const Side& b) { return std::pair(a.key, a.tet) < std::pair(b.key, b.tet); });
  return sides;
}

void copy_nodes(const mesh::TetMesh& mesh, AtomGeometry& g) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> copy;  // (node, atom) → its copy
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (const std::int32_t node : mesh.tets[t]) copy[{node, g.atom_of_tet[t]}] = 0;
  for (auto& [pair, number] : copy) {
    number = static_cast<std::int32_t>(g.nodes.size());
    g.nodes.push_back(mesh.nodes[pair.first]);
    g.mesh_node.push_back(pair.first);
    g.atom_of_node.push_back(pair.second);
  }
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    auto& tet = g.tets.emplace_back();
    for (int k = 0; k < 4; ++k) tet[k] = copy.at({mesh.tets[t][k], g.atom_of_tet[t]});
  }
}

void add_triangle(const mesh::TetMesh& mesh, const Side& side, std::int32_t beyond, AtomGeometry& g) {
  AtomTriangle triangle{{}, side.tet, g.atom_of_tet[side.tet], beyond, mesh::kNoSourceTriangle};
  for (int j = 0; j < 3; ++j) triangle.corners[j] = g.tets[side.tet][mesh::kFaceCorners[side.opposite][j]];
  if (beyond == kOutside) triangle.source = mesh.face_source[side.tet][side.opposite];
  g.triangles.push_back(triangle);
}

void find_triangles(const mesh::TetMesh& mesh, AtomGeometry& g) {
  std::vector<std::pair<Side, std::int32_t>> open;  // sides, with the atom beyond
  const std::vector<Side> sides = sorted_sides(mesh);
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t next = i + 1;
    while (next < sides.size() && sides[next].key == sides[i].key) ++next;
    if (next - i > 2) throw core::Error("Three tets share one face. A mesh of a solid has at most two; mesh it again.");
    if (next - i == 1) {
      open.emplace_back(sides[i], kOutside);
    } else {
      const std::int32_t a = g.atom_of_tet[sides[i].tet], b = g.atom_of_tet[sides[i + 1].tet];
      if (a != b) open.insert(open.end(), {{sides[i], b}, {sides[i + 1], a}});
    }
    i = next;
  }
  std::sort(open.begin(), open.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.tet, a.first.opposite) < std::pair(b.first.tet, b.first.opposite);
  });
  for (const auto& [side, beyond] : open) add_triangle(mesh, side, beyond, g);
}

void find_hulls(std::int32_t num_atoms, AtomGeometry& g) {
  std::vector<std::vector<std::array<std::int32_t, 4>>> tets(num_atoms);
  for (std::size_t t = 0; t < g.tets.size(); ++t) tets[g.atom_of_tet[t]].push_back(g.tets[t]);
  for (auto& of_atom : tets) g.hulls.push_back(convex_parts(g.nodes, std::move(of_atom)));
}

}  // namespace

AtomGeometry atom_geometry(const mesh::TetMesh& mesh, const modes::PieceLabels& atoms) {
  AtomGeometry geometry;
  geometry.atom_of_tet = atoms.of_cell;
  copy_nodes(mesh, geometry);
  find_triangles(mesh, geometry);
  find_hulls(atoms.num_pieces(), geometry);
  return geometry;
}

}  // namespace brisance::breaking
