/// Nodes copied by atom, the triangles between atoms, and points that span each atom's hull.
#include "brisance/sim/atom_geometry.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace brisance::sim {

namespace {

/// One side of a face of the mesh: its corners, ascending, and where it belongs.
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
  std::vector<std::pair<Side, std::int32_t>> open;  // with the atom beyond
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

/// Directions spread evenly over the sphere (Fibonacci lattice).
std::vector<Vec3> directions(int count) {
  std::vector<Vec3> result;
  const double golden_angle = std::numbers::pi * (3 - std::sqrt(5.0));
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, r = std::sqrt(1 - z * z);
    result.emplace_back(r * std::cos(golden_angle * i), r * std::sin(golden_angle * i), z);
  }
  return result;
}

constexpr int kHullDirections = 96;  ///< a contact costs by the points of a hull

void find_hulls(std::int32_t num_atoms, AtomGeometry& g) {
  std::vector<std::vector<std::int32_t>> nodes(num_atoms);
  for (std::size_t n = 0; n < g.nodes.size(); ++n) nodes[g.atom_of_node[n]].push_back(static_cast<std::int32_t>(n));
  const std::vector<Vec3> all_directions = directions(kHullDirections);
  for (const auto& of_atom : nodes) {
    std::vector<std::int32_t> extreme;
    for (const Vec3& d : all_directions)
      extreme.push_back(*std::max_element(of_atom.begin(), of_atom.end(), [&](std::int32_t a, std::int32_t b) {
        return d.dot(g.nodes[a]) < d.dot(g.nodes[b]);
      }));
    std::sort(extreme.begin(), extreme.end());
    extreme.erase(std::unique(extreme.begin(), extreme.end()), extreme.end());
    auto& hull = g.hull.emplace_back();
    for (const std::int32_t n : extreme) hull.push_back(g.nodes[n]);
  }
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

}  // namespace brisance::sim
