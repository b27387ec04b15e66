#include "app/mesh_snapshot.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace brisance::app {

namespace {

/// The lowest-numbered node that each node hangs together with.
std::vector<std::int32_t> lowest_connected_node(const mesh::TetMesh& mesh) {
  std::vector<std::int32_t> parent(mesh.nodes.size());
  std::iota(parent.begin(), parent.end(), 0);
  auto root = [&](std::int32_t node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  for (const auto& tet : mesh.tets)
    for (const std::int32_t corner : tet) {
      const auto [low, high] = std::minmax({root(tet[0]), root(corner)});
      parent[high] = low;
    }
  for (std::size_t node = 0; node < parent.size(); ++node) parent[node] = root(static_cast<std::int32_t>(node));
  return parent;
}

void add_nodes(io::SnapshotPart& part, const mesh::TetMesh& mesh) {
  const std::size_t count = mesh.nodes.size();
  part.node_id.resize(count);
  std::iota(part.node_id.begin(), part.node_id.end(), 0);
  part.node_owned.assign(count, 1);
  part.rest_position = part.position = mesh.nodes;
  if (!mesh.displacement.empty())
    for (std::size_t i = 0; i < count; ++i) part.position[i] += mesh.displacement[i];
  part.velocity = mesh.velocity.empty() ? std::vector<Vec3>(count, Vec3::Zero()) : mesh.velocity;
}

void add_boundary(io::SnapshotPart& part, const mesh::TetMesh& mesh, std::size_t tet) {
  for (int face = 0; face < 4; ++face) {
    const std::int32_t source = mesh.face_source[tet][face];
    if (source == mesh::kNoSourceTriangle) continue;
    const auto& corners = mesh::kFaceCorners[face];
    part.boundary.push_back({mesh.tets[tet][corners[0]], mesh.tets[tet][corners[1]], mesh.tets[tet][corners[2]]});
    part.boundary_element.push_back(static_cast<std::int64_t>(tet));
    part.source_triangle.push_back(source);
  }
}

}  // namespace

io::SnapshotPart snapshot_of_mesh(const mesh::TetMesh& mesh, io::SnapshotHeader& header) {
  io::SnapshotPart part;
  add_nodes(part, mesh);
  const auto lowest = lowest_connected_node(mesh);
  std::map<std::int32_t, std::int64_t> piece_of;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& tet = mesh.tets[e];
    part.element_id.push_back(static_cast<std::int64_t>(e));
    part.tets.push_back({tet[0], tet[1], tet[2], tet[3]});
    part.piece.push_back(
        piece_of.try_emplace(lowest[tet[0]], static_cast<std::int64_t>(piece_of.size())).first->second);
    add_boundary(part, mesh, e);
  }
  part.material.assign(mesh.tets.size(), 0);
  part.stress.assign(mesh.tets.size(), SymMat3::Zero());
  header.num_pieces = static_cast<std::int64_t>(piece_of.size());
  header.material_names = {"unnamed"};
  return part;
}

}  // namespace brisance::app
