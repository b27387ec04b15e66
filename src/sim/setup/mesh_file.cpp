#include "brisance/sim/setup/mesh_file.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/mesh/formats/read_tet_mesh.hpp"
#include "brisance/mesh/tets/connected_parts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <numeric>
#include <span>

#include <fmt/format.h>

namespace brisance::sim {

namespace {

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

constexpr std::int32_t kMostRegions = 65536;

/// Throws core::Error unless regions are valid indices of materials.
void require_regions(const std::filesystem::path& file, const mesh::TetMesh& mesh) {
  if (mesh.region.empty()) return;
  const auto [lowest, highest] = std::ranges::minmax(mesh.region);
  if (lowest < 0 || highest >= kMostRegions)
    throw core::Error(fmt::format(
        "{}: the mesh has regions {} to {}, where this format takes 0 to {}. Renumber them (physical groups "
        "are regions), or write a .vtu.",
        file.string(), lowest, highest, kMostRegions - 1));
}

/// The extension, with its dot.
std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

}  // namespace

bool is_tet_mesh_file(const std::filesystem::path& file) {
  constexpr std::array kForeign{".node", ".ele", ".msh", ".vtu"};
  return is_our_mesh_file(file) || std::ranges::find(kForeign, lower_extension(file)) != kForeign.end();
}

bool is_our_mesh_file(const std::filesystem::path& file) {
  const std::string extension = lower_extension(file);
  return extension == ".hdf" || extension == ".h5";
}

bool is_mesh_without_run(const std::filesystem::path& file) {
  if (!is_our_mesh_file(file) || !std::filesystem::is_regular_file(file)) return false;
  try {
    return io::read_snapshot_header(file).scene.empty();
  } catch (const core::Error&) {
    return false;
  }
}

void refuse_fields(const std::filesystem::path& file, std::span<const std::string> scalars) {
  if (is_our_mesh_file(file) && !scalars.empty())
    throw core::Error(
        fmt::format("{}: the field \"{}\" of a [[factor]] is read from VTU and Gmsh files, not from this "
                    "format.",
                    file.string(), scalars.front()));
}

std::int64_t num_tets(const std::filesystem::path& file) {
  return is_our_mesh_file(file) ? io::num_tets(file) : std::ssize(mesh::read_tet_mesh(file).tets);
}

mesh::TetMesh read_tets(const std::filesystem::path& file, std::span<const std::string> scalars) {
  refuse_fields(file, scalars);
  return is_our_mesh_file(file) ? read_mesh_file(file) : mesh::read_tet_mesh(file, scalars);
}

void write_mesh_file(const std::filesystem::path& file, const mesh::TetMesh& mesh) {
  require_regions(file, mesh);
  io::SnapshotPart part;
  add_nodes(part, mesh);
  const auto lowest = mesh::lowest_connected_nodes(mesh);
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
