#include "mesh/formats/tet_soup.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/mesh/formats/orient_tets.hpp"
#include "brisance/mesh/tets/boundary_faces.hpp"

#include "mesh/formats/group_lines.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

void check_corners(const TetSoup& soup, const FailAt& fail) {
  for (std::size_t t = 0; t < soup.tets.size(); ++t)
    for (const std::int64_t corner : soup.tets[t])
      if (corner < 0 || corner >= static_cast<std::int64_t>(soup.nodes.size()))
        fail(soup.places[t], fmt::format("a corner of the tet is not one of the file's {} nodes. Correct the index or "
                                         "export the file again.",
                                         soup.nodes.size()));
}

/// Is a tet's volume zero within double precision? Rounding of the determinant is a few units in the last place of the
/// product of its edge lengths.
bool is_degenerate(double volume_m3, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const double round_off =
      8 * std::numeric_limits<double>::epsilon() * (b - a).norm() * (c - a).norm() * (d - a).norm();
  return std::abs(volume_m3) * 6 <= round_off;
}

/// Moves over the tets with a volume; returns their numbers in the file.
std::vector<std::int64_t> keep_solid_tets(const TetSoup& soup, TetMesh& mesh, TetReadReport& report) {
  std::vector<std::int64_t> kept;
  for (std::size_t t = 0; t < soup.tets.size(); ++t) {
    std::array<std::int32_t, 4> tet{};
    std::ranges::transform(soup.tets[t], tet.begin(), [](std::int64_t v) { return static_cast<std::int32_t>(v); });
    const Vec3 &a = soup.nodes[tet[0]], &b = soup.nodes[tet[1]], &c = soup.nodes[tet[2]], &d = soup.nodes[tet[3]];
    if (is_degenerate(tet_volume(a, b, c, d), a, b, c, d)) {
      ++report.num_degenerate;
      continue;
    }
    kept.push_back(static_cast<std::int64_t>(t));
    mesh.tets.push_back(tet);
    if (!soup.region.empty()) mesh.region.push_back(soup.region[t]);
    if (!soup.group.empty()) mesh.group.push_back(soup.group[t]);
  }
  return kept;
}

/// Moves over the nodes that a tet uses, in their order, with their fields; returns their new numbers, −1 where unused.
std::vector<std::int32_t> keep_used_nodes(const TetSoup& soup, TetMesh& mesh, TetReadReport& report) {
  std::vector<std::int32_t> new_index(soup.nodes.size(), -1);
  for (const auto& tet : mesh.tets)
    for (const std::int32_t v : tet) new_index[v] = 0;
  for (std::size_t v = 0; v < soup.nodes.size(); ++v) {
    if (new_index[v] < 0) {
      ++report.num_unused_nodes;
      continue;
    }
    new_index[v] = static_cast<std::int32_t>(mesh.nodes.size());
    mesh.nodes.push_back(soup.nodes[v]);
    if (!soup.displacement.empty()) mesh.displacement.push_back(soup.displacement[v]);
    if (!soup.velocity.empty()) mesh.velocity.push_back(soup.velocity[v]);
  }
  for (auto& tet : mesh.tets)
    for (auto& v : tet) v = new_index[v];
  return new_index;
}

/// Moves over the remaining values of a field.
void keep_scalars(const ScalarField& field, const std::vector<std::int64_t>& kept_tets,
                  const std::vector<std::int32_t>& new_index, TetMesh& mesh) {
  ScalarField& left = mesh.scalars.emplace_back(ScalarField{field.name, field.on_nodes, {}});
  if (field.on_nodes) {
    for (std::size_t v = 0; v < field.values.size(); ++v)
      if (new_index[v] >= 0) left.values.push_back(field.values[v]);
  } else {
    for (const std::int64_t t : kept_tets) left.values.push_back(field.values[static_cast<std::size_t>(t)]);
  }
}

using Face = std::array<std::int32_t, 3>;

/// The groups of the file's triangles, by their sorted nodes.
std::map<Face, std::int32_t> group_of_triangles(const TetSoup& soup, const std::vector<std::int32_t>& new_index) {
  std::map<Face, std::int32_t> group;
  for (std::size_t t = 0; t < soup.triangles.size(); ++t) {
    Face face{};
    bool in_use = true;
    for (int k = 0; k < 3; ++k) {
      const std::int64_t corner = soup.triangles[t][k];
      const bool valid = corner >= 0 && corner < static_cast<std::int64_t>(new_index.size());
      face[k] = valid ? new_index[static_cast<std::size_t>(corner)] : -1;
      in_use = in_use && face[k] >= 0;
    }
    std::ranges::sort(face);
    if (in_use) group[face] = soup.triangle_group[t];
  }
  return group;
}

/// Gives boundary faces the groups of the file's triangles on them.
void name_boundary(const TetSoup& soup, const std::vector<std::int32_t>& new_index, TetMesh& mesh) {
  const auto group = group_of_triangles(soup, new_index);
  if (group.empty()) return;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (int f = 0; f < 4; ++f) {
      if (mesh.face_source[t][f] == kNoSourceTriangle) continue;
      Face face{};
      for (int k = 0; k < 3; ++k) face[k] = mesh.tets[t][kFaceCorners[f][k]];
      std::ranges::sort(face);
      const auto found = group.find(face);
      mesh.groups.of_source.push_back(found == group.end() ? kNoGroup : found->second);  // in the order of face_source
    }
}

/// Numbers the faces of one tet; an error if three tets share a face.
void number_boundary(TetMesh& mesh, const std::filesystem::path& file) {
  const std::optional<CrowdedFace> crowded = number_boundary(mesh);
  if (!crowded) return;
  const Vec3& place = mesh.nodes[crowded->node];
  throw core::Error(
      fmt::format("{}: {} tets share one face, near ({:.6g}, {:.6g}, {:.6g}): tets are doubled or overlap. "
                  "Mesh the body again.",
                  file.string(), crowded->num_tets, place[0], place[1], place[2]));
}

}  // namespace

void name_by_region(TetSoup& soup) {
  if (std::ranges::all_of(soup.region, [](std::int32_t region) { return region == 0; })) return;
  GroupNumbers numbers(soup.groups);
  for (const std::int32_t region : soup.region)
    soup.group.push_back(region == 0 ? kNoGroup : numbers.number({std::to_string(region)}));
}

TetMesh to_tet_mesh(TetSoup soup, const std::filesystem::path& file, const FailAt& fail, TetReadReport& report) {
  report = {};
  if (std::max(soup.nodes.size(), 4 * soup.tets.size()) > std::numeric_limits<std::int32_t>::max())
    throw core::Error(fmt::format("{}: more than 2^29 tets. Coarsen the mesh.", file.string()));
  check_corners(soup, fail);
  TetMesh mesh;
  const std::vector<std::int64_t> kept = keep_solid_tets(soup, mesh, report);
  if (mesh.tets.empty())
    throw core::Error(fmt::format("{}: holds no tet with a volume ({}, {}). Export a tetrahedral volume mesh.",
                                  file.string(), core::counted(soup.nodes.size(), "node"),
                                  core::counted(soup.tets.size(), "tet")));
  const std::vector<std::int32_t> new_index = keep_used_nodes(soup, mesh, report);
  for (ScalarField& field : soup.scalars) keep_scalars(field, kept, new_index, mesh);
  orient_tets(mesh, file, kept,
              [&](std::size_t tet, std::string_view message) { fail(soup.places[kept[tet]], message); });
  number_boundary(mesh, file);
  mesh.groups.names = soup.groups.names;
  keep_within_limits(mesh.groups, file);
  if (mesh.groups.empty())
    mesh.group.clear();
  else
    name_boundary(soup, new_index, mesh);
  return mesh;
}

}  // namespace brisance::mesh
