#include "named_groups.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace brisance::sim {

namespace {

/// Calls `take` with every node of the surface of that name; false if there is none.
bool for_surface_nodes(const mesh::TetMesh& mesh, const std::string& name, const auto& take) {
  bool found = false;
  for (std::size_t t = 0; t < mesh.face_source.size(); ++t)
    for (int f = 0; f < 4; ++f) {
      if (!mesh::has_name(mesh.groups, mesh.groups.group_of_source(mesh.face_source[t][f]), name)) continue;
      found = true;
      for (const int corner : mesh::kFaceCorners[f]) take(mesh.tets[t][corner]);
    }
  return found;
}

bool for_tet_nodes(const mesh::TetMesh& mesh, const std::string& name, const auto& take) {
  bool found = false;
  for (std::size_t t = 0; t < mesh.group.size(); ++t) {
    if (!mesh::has_name(mesh.groups, mesh.group[t], name)) continue;
    found = true;
    for (const std::int32_t node : mesh.tets[t]) take(node);
  }
  return found;
}

[[noreturn]] void refuse_region(const RegionParameters& region, const mesh::TetMesh& mesh) {
  std::vector<std::int32_t> all = mesh.group;
  all.insert(all.end(), mesh.groups.of_source.begin(), mesh.groups.of_source.end());
  throw core::Error(
      fmt::format("[[region]] \"{}\": no surface and no tet has the group \"{}\". Groups of the objects: {}.",
                  region.name, region.group, list_of_names(mesh.groups, all)));
}

}  // namespace

std::string list_of_names(const mesh::Groups& groups, std::span<const std::int32_t> in_use) {
  const std::vector<std::string> names = mesh::names_in_use(groups, in_use);
  return names.empty() ? "none: the file names nothing, or the object was made from a shape"
                       : fmt::format("{}", fmt::join(names, ", "));
}

void add_group_regions(const Scene& scene, const mesh::TetMesh& whole, std::span<std::uint32_t> regions) {
  for (std::size_t r = 0; r < scene.regions.size(); ++r) {
    const RegionParameters& region = scene.regions[r];
    if (region.shape != RegionShape::group) continue;
    const auto take = [&](std::int32_t node) { regions[static_cast<std::size_t>(node)] |= 1U << r; };
    if (!for_surface_nodes(whole, region.group, take) && !for_tet_nodes(whole, region.group, take))
      refuse_region(region, whole);
  }
}

}  // namespace brisance::sim
