#include "assign_materials.hpp"

#include "brisance/core/error.hpp"

#include "named_groups.hpp"

#include <algorithm>

namespace brisance::sim {

namespace {

std::int32_t material_index(const Scene& scene, const ObjectParameters& object) {
  for (std::size_t i = 0; i < scene.materials.size(); ++i)
    if (scene.materials[i].name == object.material) return static_cast<std::int32_t>(i);
  throw core::Error("object \"" + object.name + "\" is made of \"" + object.material +
                    "\", but the scene has no material of that name.");
}

[[noreturn]] void refuse(const std::string& name, std::int32_t lowest, std::int32_t highest,
                         std::size_t num_materials) {
  std::string advice = "add the missing ones or renumber the regions.";
  if (highest >= static_cast<std::int32_t>(material::kMostMaterials))
    advice = "there can be at most " + std::to_string(material::kMostMaterials) + "; renumber or join the regions.";
  throw core::Error(name + " has regions " + std::to_string(lowest) + " to " + std::to_string(highest) +
                    ", but the scene has materials 0 to " + std::to_string(num_materials - 1) +
                    ". With several regions, region r is made of the scene's r-th [[material]]: " + advice);
}

}  // namespace

void assign_materials(const Scene& scene, const ObjectParameters& object, const std::string& name,
                      mesh::TetMesh& mesh) {
  const auto [lowest, highest] = std::minmax_element(mesh.region.begin(), mesh.region.end());
  if (const bool by_group = has_parts(scene, object); by_group || mesh.region.empty() || *lowest == *highest) {
    mesh.region.assign(mesh.tets.size(), material_index(scene, object));
    if (by_group) assign_parts(scene, object, mesh);
    return;
  }
  if (*lowest < 0 || *highest >= static_cast<std::int32_t>(scene.materials.size()))
    refuse(name, *lowest, *highest, scene.materials.size());
}

}  // namespace brisance::sim
