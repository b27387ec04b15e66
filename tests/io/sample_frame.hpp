/// A frame whose every value is a formula of an id, so that a reader in any language can check it: see `sample_part`
/// and check_snapshot.py.
#pragma once

#include "brisance/io/snapshot.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace brisance::test {

/// A row of `cubes` unit cubes along x, each of six tets around its diagonal; global.
struct SampleMesh {
  std::vector<Vec3> nodes;
  std::vector<std::array<std::int64_t, 4>> tets;
  std::vector<std::array<std::int64_t, 3>> boundary;
  std::vector<std::int64_t> boundary_element;
};

inline SampleMesh sample_mesh(int cubes) {
  SampleMesh mesh;
  for (int i = 0; i <= cubes; ++i)
    for (int j = 0; j < 4; ++j) mesh.nodes.emplace_back(i, j / 2, j % 2);
  for (int i = 0; i < cubes; ++i) {
    std::array<int, 3> steps{1, 2, 4};
    do {
      std::array<std::int64_t, 4> tet{4 * i, 0, 0, 0};
      for (int s = 0; s < 3; ++s) tet[s + 1] = tet[s] + steps[s];
      Mat3 edges;
      for (int s = 0; s < 3; ++s) edges.col(s) = mesh.nodes[tet[s + 1]] - mesh.nodes[tet[0]];
      if (edges.determinant() < 0) std::swap(tet[2], tet[3]);
      mesh.tets.push_back(tet);
    } while (std::next_permutation(steps.begin(), steps.end()));
  }
  // A face that occurs once is on the boundary.
  constexpr int kFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  std::map<std::set<std::int64_t>, int> uses;
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t e = 0; e < mesh.tets.size(); ++e)
      for (const auto& face : kFaces) {
        const auto& t = mesh.tets[e];
        const std::array<std::int64_t, 3> corners{t[face[0]], t[face[1]], t[face[2]]};
        int& count = uses[{corners.begin(), corners.end()}];
        if (pass == 0) ++count;
        if (pass == 1 && count == 1) {
          mesh.boundary.push_back(corners);
          mesh.boundary_element.push_back(static_cast<std::int64_t>(e));
        }
      }
  return mesh;
}

/// Rank that holds element e: slabs along x. With three ranks or more, rank 1 gets nothing.
inline int sample_home(std::int64_t e, std::int64_t num_tets, int ranks) {
  const bool skip = ranks >= 3;
  const auto slab = static_cast<int>(e * (skip ? ranks - 1 : ranks) / num_tets);
  return skip && slab >= 1 ? slab + 1 : slab;
}

/// Node ids are 10·index + 3, element ids 7·index + 1: neither dense nor starting at zero.
inline io::SnapshotPart sample_part(int cubes, int rank, int ranks, bool plastic = true) {
  const SampleMesh mesh = sample_mesh(cubes);
  const std::int64_t num_tets = std::ssize(mesh.tets);
  std::map<std::int64_t, int> owner;  // lowest rank that holds the node
  std::set<std::int64_t> mine;
  for (std::int64_t e = 0; e < num_tets; ++e)
    for (const std::int64_t n : mesh.tets[e]) {
      const int home = sample_home(e, num_tets, ranks);
      const auto [at, is_new] = owner.try_emplace(n, home);
      if (!is_new) at->second = std::min(at->second, home);
      if (home == rank) mine.insert(n);
    }
  io::SnapshotPart part;
  std::map<std::int64_t, std::int64_t> local;
  for (const std::int64_t n : mine) {
    local[n] = std::ssize(part.node_id);
    const std::int64_t id = 10 * n + 3;
    part.node_id.push_back(id);
    part.node_owned.push_back(owner[n] == rank ? 1 : 0);
    part.rest_position.push_back(0.1 * mesh.nodes[n]);
    part.position.push_back(0.1 * mesh.nodes[n] + Vec3(0, 0, 0.01 * static_cast<double>(id)));
    part.velocity.push_back(static_cast<double>(id) * Vec3(1, -2, 0.5));
  }
  for (std::int64_t e = 0; e < num_tets; ++e) {
    if (sample_home(e, num_tets, ranks) != rank) continue;
    const std::int64_t id = 7 * e + 1;
    part.element_id.push_back(id);
    auto& tet = part.tets.emplace_back();
    for (int c = 0; c < 4; ++c) tet[c] = local[mesh.tets[e][c]];
    part.material.push_back(static_cast<std::int32_t>(id % 2));
    part.piece.push_back(id % 3);
    SymMat3 s;
    for (int c = 0; c < 6; ++c) s[c] = 1000.0 * static_cast<double>(id) + c;
    part.stress.push_back(s);
    if (plastic) part.plastic_strain.push_back(1e-6 * s);
  }
  part.node_state = {{"mark", "s", 1, {}}, {"direction", "-", 3, {}}};
  for (const std::int64_t id : part.node_id) {
    part.node_state[0].values.push_back(0.25 * static_cast<double>(id));
    for (int c = 0; c < 3; ++c) part.node_state[1].values.push_back(static_cast<double>(id + c));
  }
  part.element_state = {{"share", "-", 2, {}}};
  for (const std::int64_t id : part.element_id)
    for (int c = 0; c < 2; ++c) part.element_state[0].values.push_back(static_cast<double>(id - c));
  for (std::size_t t = 0; t < mesh.boundary.size(); ++t) {
    if (sample_home(mesh.boundary_element[t], num_tets, ranks) != rank) continue;
    auto& corners = part.boundary.emplace_back();
    for (int c = 0; c < 3; ++c) corners[c] = local[mesh.boundary[t][c]];
    part.boundary_element.push_back(7 * mesh.boundary_element[t] + 1);
    part.source_triangle.push_back(t % 5 == 4 ? -1 : static_cast<std::int64_t>(t));
  }
  return part;
}

/// The boundary of sample_part alone, with the nodes that it touches; each node is owned where the whole part owns it.
inline io::SnapshotPart sample_surface(int cubes, int rank, int ranks) {
  const io::SnapshotPart whole = sample_part(cubes, rank, ranks);
  io::SnapshotPart part = whole;  // all nodes of the bar are on its boundary
  part.tets.clear();
  part.element_id = whole.boundary_element;
  part.material.clear();
  part.piece.clear();
  part.stress.clear();
  part.plastic_strain.clear();
  part.element_state[0].values.clear();
  for (const std::int64_t id : whole.boundary_element) {
    const auto tet = static_cast<std::size_t>(std::find(whole.element_id.begin(), whole.element_id.end(), id) -
                                              whole.element_id.begin());
    part.material.push_back(whole.material[tet]);
    part.piece.push_back(whole.piece[tet]);
    part.stress.push_back(whole.stress[tet]);
    part.plastic_strain.push_back(whole.plastic_strain[tet]);
    for (std::size_t c = 0; c < 2; ++c)
      part.element_state[0].values.push_back(whole.element_state[0].values[2 * tet + c]);
  }
  return part;
}

inline io::SnapshotHeader sample_header() {
  io::SnapshotHeader header;
  header.time_s = 0.1;
  header.step = 412;
  header.frame = 3;
  header.num_pieces = 3;
  header.num_cracks = 17;
  header.material_names = {"glass", "ceramic"};
  header.scene = "[scene]\nname = \"Schüssel\"\n";
  header.colliders = {{"ground", "plane", Vec3::Zero(), Vec3(0, 0, 1), {1, 0, 0, 0}},
                      {"ball", "sphere", Vec3(0.1, 0.2, 0.3), Vec3(0.05, 0, 0), {0.8, 0.6, 0, 0}},
                      {"wedge",
                       "mesh",
                       Vec3(0.4, 0.5, 0.6),
                       Vec3(1, 1, 1),
                       {1, 0, 0, 0},
                       {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()},
                       {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}}};
  return header;
}

}  // namespace brisance::test
