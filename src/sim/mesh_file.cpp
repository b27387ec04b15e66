#include "brisance/sim/mesh_file.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/mesh/limits.hpp"
#include "brisance/mesh/orient_tets.hpp"
#include "brisance/mesh/read_tet_mesh.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <unordered_map>

#include <fmt/ranges.h>

namespace brisance::sim {

namespace {

using FaceKey = std::array<std::int64_t, 3>;

/// Number in the mesh of a part's local node.
using NumberOf = std::function<std::int32_t(std::int64_t node)>;

FaceKey sorted(FaceKey key) {
  std::sort(key.begin(), key.end());
  return key;
}

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
  if (mesh.face_source.empty()) return;
  for (int face = 0; face < 4; ++face) {
    const std::int32_t source = mesh.face_source[tet][face];
    if (source == mesh::kNoSourceTriangle) continue;
    const auto& corners = mesh::kFaceCorners[face];
    part.boundary.push_back({mesh.tets[tet][corners[0]], mesh.tets[tet][corners[1]], mesh.tets[tet][corners[2]]});
    part.boundary_element.push_back(static_cast<std::int64_t>(tet));
    part.source_triangle.push_back(source);
  }
}

/// Nodes in ascending global id, each once; returns their numbers.
std::unordered_map<std::int64_t, std::int32_t> read_nodes(const io::SnapshotPart& part, mesh::TetMesh& mesh) {
  std::map<std::int64_t, std::size_t> first_of;  // global id → one of its occurrences
  for (std::size_t i = 0; i < part.node_id.size(); ++i)
    if (part.node_owned[i]) first_of.emplace(part.node_id[i], i);
  std::unordered_map<std::int64_t, std::int32_t> number;
  for (const auto& [id, i] : first_of) {
    number[id] = static_cast<std::int32_t>(mesh.nodes.size());
    mesh.nodes.push_back(part.rest_position[i]);
    mesh.displacement.push_back(part.position[i] - part.rest_position[i]);
    mesh.velocity.push_back(part.velocity.empty() ? Vec3(Vec3::Zero()) : part.velocity[i]);
  }
  return number;
}

/// Numbers that nothing could be done with end the reading here, where the file has a name.
void check_part(const io::SnapshotPart& part, const std::filesystem::path& file) {
  const auto refuse = [&](const char* what, std::int64_t id, const Vec3& x) {
    throw core::Error(
        fmt::format("{}: the {} of node {} is ({:.3g}); none beyond {:g} is taken. The file is damaged, not in metres, "
                    "or of a run that came to nothing: take an earlier snapshot or write it again.",
                    file.string(), what, id, fmt::join(x, ", "), mesh::kLargestLength_m));
  };
  for (std::size_t i = 0; i < part.node_id.size(); ++i) {
    if (!mesh::is_place(part.rest_position[i])) refuse("rest position", part.node_id[i], part.rest_position[i]);
    if (!mesh::is_place(part.position[i])) refuse("position", part.node_id[i], part.position[i]);
    if (!part.velocity.empty() && !mesh::is_place(part.velocity[i]))
      refuse("velocity", part.node_id[i], part.velocity[i]);
  }
}

/// Throws if tets have no volume, or there are none.
void check_volumes(const mesh::TetMesh& mesh, std::span<const std::int64_t> ids, const std::filesystem::path& file) {
  if (mesh.tets.empty())
    throw core::Error(file.string() + ": it holds no tets. Give a snapshot or mesh that has some.");
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& [a, b, c, d] = mesh.tets[e];
    const auto& x = mesh.nodes;
    if (mesh::tet_volume(x[a], x[b], x[c], x[d]) == 0)
      throw core::Error(file.string() + ": tet " + std::to_string(ids[e]) +
                        " has no volume at rest. Mesh the body again.");
  }
}

/// Elements in ascending global id, of positive volume.
void read_elements(const io::SnapshotPart& part, const NumberOf& node, const std::filesystem::path& file,
                   mesh::TetMesh& mesh) {
  std::vector<std::size_t> order(part.tets.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t e) { return part.element_id[e]; });
  std::vector<std::int64_t> ids;
  for (const std::size_t e : order) {
    std::array<std::int32_t, 4> tet;
    for (int k = 0; k < 4; ++k) tet[k] = node(part.tets[e][k]);
    mesh.tets.push_back(tet);
    mesh.region.push_back(part.material[e]);
    if (!part.group.empty()) mesh.group.push_back(part.group[e]);
    ids.push_back(part.element_id[e]);
  }
  check_volumes(mesh, ids, file);
  mesh::orient_tets(mesh, file, ids, [&](std::size_t, std::string_view message) {
    throw core::Error(file.string() + ": " + std::string(message));
  });
}

/// The source triangle of each face that lies on the boundary.
void number_faces(const io::SnapshotPart& part, const NumberOf& node, mesh::TetMesh& mesh) {
  std::map<FaceKey, std::int32_t> source;
  for (std::size_t f = 0; f < part.boundary.size(); ++f)
    source[sorted({node(part.boundary[f][0]), node(part.boundary[f][1]), node(part.boundary[f][2])})] =
        static_cast<std::int32_t>(part.source_triangle[f]);
  for (const auto& tet : mesh.tets) {
    std::array<std::int32_t, 4> faces;
    for (int k = 0; k < 4; ++k) {
      const auto& c = mesh::kFaceCorners[k];
      const auto found = source.find(sorted({tet[c[0]], tet[c[1]], tet[c[2]]}));
      faces[k] = found == source.end() ? mesh::kNoSourceTriangle : found->second;
    }
    mesh.face_source.push_back(faces);
  }
}

}  // namespace

bool is_tet_mesh_file(const std::filesystem::path& file) {
  for (const char* extension : {".hdf", ".h5", ".node", ".ele", ".msh", ".vtu"})
    if (file.extension() == extension) return true;
  return false;
}

mesh::TetMesh read_tets(const std::filesystem::path& file, std::span<const std::string> scalars) {
  const bool ours = file.extension() == ".hdf" || file.extension() == ".h5";
  if (ours && !scalars.empty())
    throw core::Error(
        fmt::format("{}: the field \"{}\" of a [[factor]] is read from VTU and Gmsh files, not from this "
                    "format.",
                    file.string(), scalars.front()));
  return ours ? read_mesh_file(file) : mesh::read_tet_mesh(file, scalars);
}

mesh::TetMesh read_mesh_file(const std::filesystem::path& file) {
  io::Snapshot snapshot = io::read_snapshot(file);
  const io::SnapshotPart& part = snapshot.part;
  if (const io::FrameForm& form = snapshot.header.form; form.surface_only || !form.has("rest_position"))
    throw core::Error(file.string() +
                      (form.surface_only ? ": a frame of the surface alone holds no tets."
                                         : ": the frame was written without rest_position.") +
                      " Give a whole frame, or a mesh.");
  check_part(part, file);
  mesh::TetMesh mesh;
  mesh.groups = std::move(snapshot.header.groups);
  const auto number = read_nodes(part, mesh);
  const auto node = [&](std::int64_t corner) {
    const std::int64_t id = part.node_id[static_cast<std::size_t>(corner)];
    const auto found = number.find(id);
    if (found == number.end())
      throw core::Error(file.string() + ": no part owns node " + std::to_string(id) +
                        ", which elements have. The file is damaged or was edited; write or copy it again.");
    return found->second;
  };
  read_elements(part, node, file, mesh);
  number_faces(part, node, mesh);
  return mesh;
}

void write_mesh_file(const std::filesystem::path& file, const mesh::TetMesh& mesh) {
  io::SnapshotPart part;
  add_nodes(part, mesh);
  const auto lowest = lowest_connected_node(mesh);
  std::map<std::int32_t, std::int64_t> piece_of;
  std::int32_t highest_region = 0;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& tet = mesh.tets[e];
    const std::int32_t region = mesh.region.empty() ? 0 : mesh.region[e];
    highest_region = std::max(highest_region, region);
    part.element_id.push_back(static_cast<std::int64_t>(e));
    part.tets.push_back({tet[0], tet[1], tet[2], tet[3]});
    part.material.push_back(region);
    if (!mesh.groups.empty()) part.group.push_back(mesh.group.empty() ? mesh::kNoGroup : mesh.group[e]);
    part.piece.push_back(
        piece_of.try_emplace(lowest[tet[0]], static_cast<std::int64_t>(piece_of.size())).first->second);
    add_boundary(part, mesh, e);
  }
  part.stress.assign(mesh.tets.size(), SymMat3::Zero());
  io::SnapshotHeader header;
  header.groups = mesh.groups;
  header.num_pieces = static_cast<std::int64_t>(piece_of.size());
  for (std::int32_t r = 0; r <= highest_region; ++r) header.material_names.push_back("region " + std::to_string(r));
  io::write_snapshot(core::Comm(MPI_COMM_SELF), file, header, part);
}

}  // namespace brisance::sim
