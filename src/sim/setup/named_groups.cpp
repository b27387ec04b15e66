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

[[noreturn]] void refuse_region(const core::Comm& comm, const RegionParameters& region, const mesh::TetMesh& mesh) {
  std::vector<std::int32_t> all = mesh.group;
  all.insert(all.end(), mesh.groups.of_source.begin(), mesh.groups.of_source.end());
  throw core::BadInput(
      fmt::format("[[region]] \"{}\": no surface and no tet has the group \"{}\". Groups of the objects: {}.",
                  region.name, region.group, list_of_names(comm, mesh.groups, all)));
}

}  // namespace

std::string list_of_names(const core::Comm& comm, const mesh::Groups& groups, std::span<const std::int32_t> in_use) {
  std::vector<std::int32_t> used(in_use.begin(), in_use.end());
  const auto keep_each_once = [&] {
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
  };
  keep_each_once();
  used = comm.all_gather(std::span<const std::int32_t>(used));
  keep_each_once();
  const std::vector<std::string> names = mesh::names_in_use(groups, used);
  return names.empty() ? "none: the file names nothing, or the object was made from a shape"
                       : fmt::format("{}", fmt::join(names, ", "));
}

void add_group_regions(const core::Comm& comm, const Scene& scene, const dist::MeshShare& share,
                       std::vector<std::uint32_t>& regions) {
  const mesh::TetMesh& mesh = share.mesh;
  bool any = false;
  for (std::size_t r = 0; r < scene.regions.size(); ++r) {
    const RegionParameters& region = scene.regions[r];
    if (region.shape != RegionShape::group) continue;
    any = true;
    const auto take = [&](std::int32_t node) { regions[static_cast<std::size_t>(node)] |= 1U << r; };
    if (comm.any(for_surface_nodes(mesh, region.group, take)) || comm.any(for_tet_nodes(mesh, region.group, take)))
      continue;
    refuse_region(comm, region, mesh);
  }
  // Nodes of a face on this rank may belong to tets on other ranks.
  if (any) dist::join_copies(comm, share, regions, [](std::uint32_t a, std::uint32_t b) { return a | b; });
}

}  // namespace brisance::sim
