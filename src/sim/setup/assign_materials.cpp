#include "assign_materials.hpp"

#include "brisance/core/error.hpp"

#include "box_of.hpp"
#include "named_groups.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace brisance::sim {

namespace {

std::int32_t material_index(const Scene& scene, const std::string& name, std::string_view what) {
  const auto found = std::ranges::find(scene.materials, name, &material::Material::name);
  if (found == scene.materials.end())
    throw core::Error(fmt::format("{} is made of \"{}\", but the scene has no material of that name.", what, name));
  return static_cast<std::int32_t>(found - scene.materials.begin());
}

[[noreturn]] void refuse_regions(const std::string& name, std::int32_t lowest, std::int32_t highest,
                                 std::size_t num_materials) {
  std::string advice = "add the missing ones or renumber the regions.";
  if (highest >= static_cast<std::int32_t>(material::kMostMaterials))
    advice = fmt::format("there can be at most {}; renumber or join the regions.", material::kMostMaterials);
  throw core::BadInput(
      fmt::format("{} has regions {} to {}, but the scene has materials 0 to {}. With several regions, region r is "
                  "made of the scene's r-th [[material]]: {}",
                  name, lowest, highest, num_materials - 1, advice));
}

[[noreturn]] void refuse_group(const core::Comm& comm, const PartParameters& part, const mesh::Groups& groups,
                               std::span<const std::int32_t> of_tets) {
  const std::string names = list_of_names(comm, groups, of_tets);
  const std::string where = part.object.empty() ? "" : fmt::format(" of the object \"{}\"", part.object);
  const bool on_surface = std::ranges::any_of(
      groups.of_source, [&](std::int32_t group) { return mesh::has_name(groups, group, part.group); });
  if (on_surface)
    throw core::BadInput(
        fmt::format("[[part]]: the group \"{}\"{} is on the surface only; tets have the name of the closed "
                    "shell around them. Groups of tets: {}.",
                    part.group, where, names));
  throw core::BadInput(
      fmt::format("[[part]]: no tet{} has the group \"{}\". Groups of tets: {}.", where, part.group, names));
}

std::string_view name_of(PartShape shape) {
  constexpr std::array<std::string_view, 7> kNames{"group",    "box",     "sphere", "half_space",
                                                   "cylinder", "surface", "mortar"};
  return kNames[static_cast<std::size_t>(shape)];
}

/// Throws the error for a part that selects no tet. Collective.
/// @param mesh  mesh of the only object that the part applies to, or of all objects
[[noreturn]] void refuse_empty(const core::Comm& comm, const PartParameters& part, std::size_t number,
                               const mesh::TetMesh& mesh) {
  if (part.shape == PartShape::group) refuse_group(comm, part, mesh.groups, mesh.group);
  const Eigen::AlignedBox3d box = box_of(comm, mesh.nodes);
  throw core::BadInput(fmt::format(
      "[[part]] {} (counted from 0) of material \"{}\": its {} holds the middle of no tet{}. Places are {}; "
      "placed, the tets lie between ({:.4g}, {:.4g}, {:.4g}) and ({:.4g}, {:.4g}, {:.4g}) m. Move it, make "
      "it larger, or the tets smaller.",
      number, part.material, name_of(part.shape),
      part.object.empty() ? "" : fmt::format(" of the object \"{}\"", part.object),
      part.frame == Frame::world ? "those of the rest shape after placement (frame = \"world\")"
                                 : "those of the object's mesh before placement (frame = \"object\")",
      box.min().x(), box.min().y(), box.min().z(), box.max().x(), box.max().y(), box.max().z()));
}

bool concerns(const PartParameters& part, const ObjectParameters& object) {
  return part.object.empty() || part.object == object.name;
}

/// Gives the tets of this rank that a part selects their material; returns their number. Throws core::Error.
std::int64_t assign_part(const Scene& scene, std::size_t number, const PlacedObject& placed) {
  const PartParameters& part = scene.parts[number];
  const std::string what = part.shape == PartShape::group ? fmt::format("the part \"{}\"", part.group)
                                                          : fmt::format("[[part]] {} (counted from 0)", number);
  const std::int32_t material = material_index(scene, part.material, what);
  const std::vector<std::size_t> tets = tets_of_part(part, placed);
  for (const std::size_t t : tets) placed.mesh.region[t] = material;
  return static_cast<std::int64_t>(tets.size());
}

struct RegionRange {
  std::int32_t lowest = std::numeric_limits<std::int32_t>::max(), highest = std::numeric_limits<std::int32_t>::min();
};

/// Lowest and highest region number of any tet on any rank. Collective.
RegionRange region_range(const core::Comm& comm, const mesh::TetMesh& mesh) {
  RegionRange range;
  for (const std::int32_t region : mesh.region) {
    range.lowest = std::min(range.lowest, region);
    range.highest = std::max(range.highest, region);
  }
  return {comm.min(range.lowest), comm.max(range.highest)};
}

}  // namespace

void assign_materials(const core::Comm& comm, const Scene& scene, const PlacedObject& placed, PartCounts& picked) {
  picked.resize(scene.parts.size(), 0);
  mesh::TetMesh& mesh = placed.mesh;
  const auto [lowest, highest] = region_range(comm, mesh);
  const bool by_parts =
      std::ranges::any_of(scene.parts, [&](const PartParameters& part) { return concerns(part, placed.object); });
  if (!by_parts && lowest < highest) {
    if (lowest < 0 || highest >= static_cast<std::int32_t>(scene.materials.size()))
      refuse_regions(placed.name, lowest, highest, scene.materials.size());
    return;
  }
  PartCounts now(scene.parts.size(), 0);
  core::agree_on_input(comm, [&] {
    mesh.region.assign(mesh.tets.size(),
                       material_index(scene, placed.object.material, fmt::format("object \"{}\"", placed.object.name)));
    for (std::size_t p = 0; p < scene.parts.size(); ++p)
      if (concerns(scene.parts[p], placed.object)) now[p] = assign_part(scene, p, placed);
  });
  for (std::size_t p = 0; p < scene.parts.size(); ++p) {
    if (!concerns(scene.parts[p], placed.object)) continue;
    now[p] = comm.sum(now[p]);
    if (!scene.parts[p].object.empty() && now[p] == 0) refuse_empty(comm, scene.parts[p], p, mesh);
    picked[p] += now[p];
  }
}

void require_parts(const core::Comm& comm, const Scene& scene, const mesh::TetMesh& whole, const PartCounts& picked) {
  for (std::size_t p = 0; p < scene.parts.size(); ++p)
    if (scene.parts[p].object.empty() && picked[p] == 0) refuse_empty(comm, scene.parts[p], p, whole);
}

}  // namespace brisance::sim
