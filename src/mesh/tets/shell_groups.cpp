#include "mesh/tets/shell_groups.hpp"

#include "brisance/mesh/tets/name_cavities.hpp"
#include "brisance/mesh/tets/tet_neighbours.hpp"

#include "mesh/surface/cavities.hpp"

#include <algorithm>
#include <map>

namespace brisance::mesh {
namespace {

/// The boundary faces of a mesh, and the tet of each.
struct Boundary {
  Surface surface;
  std::vector<std::int32_t> tet;
};

Boundary boundary_of(const TetMesh& mesh) {
  Boundary boundary;
  boundary.surface.vertices = mesh.nodes;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (int f = 0; f < 4; ++f) {
      if (mesh.face_source[t][f] == kNoSourceTriangle) continue;
      const auto& [a, b, c] = kFaceCorners[f];
      boundary.surface.triangles.push_back({mesh.tets[t][a], mesh.tets[t][b], mesh.tets[t][c]});
      boundary.surface.source_face.push_back(mesh.face_source[t][f]);
      boundary.tet.push_back(static_cast<std::int32_t>(t));
    }
  return boundary;
}

/// A connected part of the boundary.
struct Shell {
  double volume_m3 = 0, area_m2 = 0;
  std::map<std::int32_t, double> area_of_group;
  std::int32_t tet = kNoTet;  ///< one of its tets
};

/// Shells by their first triangle.
std::map<std::size_t, Shell> shells_of(const TetMesh& mesh, const Boundary& boundary) {
  const auto component = triangle_components(boundary.surface);
  const Vec3 apex = mesh.nodes.front();
  std::map<std::size_t, Shell> shells;
  for (std::size_t t = 0; t < component.size(); ++t) {
    Shell& shell = shells[component[t]];
    const auto& [a, b, c] = boundary.surface.triangles[t];
    const Vec3 u = mesh.nodes[a] - apex, v = mesh.nodes[b] - apex, w = mesh.nodes[c] - apex;
    const double area = (v - u).cross(w - u).norm() / 2;
    shell.volume_m3 += u.dot(v.cross(w)) / 6;
    shell.area_m2 += area;
    shell.area_of_group[mesh.groups.group_of_source(boundary.surface.source_face[t])] += area;
    shell.tet = boundary.tet[t];
  }
  return shells;
}

/// The names common to nearly all of a shell.
std::vector<std::string> names_of(const Shell& shell, const Groups& groups) {
  std::map<std::string, double> area;
  for (const auto& [group, its_area] : shell.area_of_group)
    if (group != kNoGroup)
      for (const std::string& name : groups.names[static_cast<std::size_t>(group)]) area[name] += its_area;
  std::vector<std::string> names;
  for (const auto& [name, its_area] : area)
    if (its_area >= kNamedShare * shell.area_m2) names.push_back(name);
  return names;
}

/// Gives a group to all tets connected to one.
void spread(std::int32_t from, std::int32_t group, const std::vector<std::array<std::int32_t, 4>>& next_to,
            std::vector<std::int32_t>& group_of) {
  std::vector<std::int32_t> reached{from};
  group_of[from] = group;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const std::int32_t tet : next_to[reached[i]])
      if (tet != kNoTet && group_of[tet] == kNoGroup) {
        group_of[tet] = group;
        reached.push_back(tet);
      }
}

/// Adds the group names of each triangle, and the name of cavities.
void name_sources(Groups& groups, const std::vector<std::int32_t>& sources) {
  groups.of_source.resize(std::max(groups.of_source.size(), static_cast<std::size_t>(std::ranges::max(sources)) + 1),
                          kNoGroup);
  GroupNumbers numbers(groups);
  for (const std::int32_t source : sources) {
    std::int32_t& group = groups.of_source[static_cast<std::size_t>(source)];
    if (has_name(groups, group, kCavityName)) continue;
    std::vector<std::string> names;
    if (group != kNoGroup) names = groups.names[static_cast<std::size_t>(group)];
    names.emplace_back(kCavityName);
    group = numbers.number(std::move(names));
  }
}

}  // namespace

void name_cavities(TetMesh& mesh) {
  if (mesh.face_source.empty()) return;
  const Boundary boundary = boundary_of(mesh);
  const auto component = triangle_components(boundary.surface);
  const auto shells = shells_of(mesh, boundary);
  std::vector<std::int32_t> sources;
  for (std::size_t t = 0; t < component.size(); ++t)
    if (shells.at(component[t]).volume_m3 < 0) sources.push_back(boundary.surface.source_face[t]);
  if (!sources.empty()) name_sources(mesh.groups, sources);
}

void name_tets(TetMesh& mesh) {
  mesh.group.clear();
  if (mesh.groups.empty()) return;
  mesh.group.assign(mesh.tets.size(), kNoGroup);
  const auto next_to = tet_neighbours(mesh);
  GroupNumbers numbers(mesh.groups);
  for (const auto& [first, shell] : shells_of(mesh, boundary_of(mesh))) {
    if (!(shell.volume_m3 > 0)) continue;
    const std::int32_t group = numbers.number(names_of(shell, mesh.groups));
    if (group != kNoGroup) spread(shell.tet, group, next_to, mesh.group);
  }
}

}  // namespace brisance::mesh
