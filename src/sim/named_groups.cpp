#include "named_groups.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace brisance::sim {

namespace {

constexpr const char* kNoNames = "none: the file names nothing, or the object was made from a shape";

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? kNoNames : fmt::format("{}", fmt::join(names, ", "));
}

std::vector<std::int32_t> materials_of_parts(const Scene& scene) {
  std::vector<std::int32_t> numbers;
  for (const PartParameters& part : scene.parts) {
    const auto found = std::ranges::find(scene.materials, part.material, &material::Material::name);
    if (found == scene.materials.end())
      throw core::Error(fmt::format("the part \"{}\" is made of \"{}\", but the scene has no material of that name.",
                                    part.group, part.material));
    numbers.push_back(static_cast<std::int32_t>(found - scene.materials.begin()));
  }
  return numbers;
}

bool concerns(const PartParameters& part, const ObjectParameters& object) {
  return part.object.empty() || part.object == object.name;
}

bool is_any(const mesh::Groups& groups, std::span<const std::int32_t> numbers, const std::string& name) {
  return std::ranges::any_of(numbers, [&](std::int32_t group) { return mesh::has_name(groups, group, name); });
}

/// Throws unless tets have the part's name.
void require_part(const PartParameters& part, const mesh::TetMesh& mesh) {
  if (is_any(mesh.groups, mesh.group, part.group)) return;
  const std::string names = listed(mesh::names_in_use(mesh.groups, mesh.group));
  const std::string where = part.object.empty() ? "" : fmt::format(" of the object \"{}\"", part.object);
  if (is_any(mesh.groups, mesh.groups.of_source, part.group))
    throw core::Error(
        fmt::format("[[part]]: the group \"{}\"{} is on the surface only; tets have the name of the closed "
                    "shell around them. Groups of tets: {}.",
                    part.group, where, names));
  throw core::Error(
      fmt::format("[[part]]: no tet{} has the group \"{}\". Groups of tets: {}.", where, part.group, names));
}

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
                  region.name, region.group, listed(mesh::names_in_use(mesh.groups, all))));
}

}  // namespace

bool has_parts(const Scene& scene, const ObjectParameters& object) {
  return std::ranges::any_of(scene.parts, [&](const auto& part) { return concerns(part, object); });
}

void assign_parts(const Scene& scene, const ObjectParameters& object, mesh::TetMesh& mesh) {
  const std::vector<std::int32_t> materials = materials_of_parts(scene);
  for (std::size_t p = 0; p < scene.parts.size(); ++p) {
    const PartParameters& part = scene.parts[p];
    if (!concerns(part, object)) continue;
    if (!part.object.empty()) require_part(part, mesh);
    for (std::size_t t = 0; t < mesh.group.size(); ++t)
      if (mesh::has_name(mesh.groups, mesh.group[t], part.group)) mesh.region[t] = materials[p];
  }
}

void require_parts(const Scene& scene, const mesh::TetMesh& whole) {
  for (const PartParameters& part : scene.parts)
    if (part.object.empty()) require_part(part, whole);
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
