#include "app/scene/surface_materials.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace brisance::app {

namespace {

using sim::RenderObjectParameters;

/// Materials that tets of an object may have: its own, and those of its parts.
std::set<std::string> materials_of(const sim::Scene& scene, const sim::ObjectParameters& object) {
  std::set<std::string> names{object.material};
  for (const sim::PartParameters& part : scene.parts)
    if (part.object.empty() || part.object == object.name) names.insert(part.material);
  return names;
}

bool concerns(const RenderObjectParameters& entry, const std::string& object, const std::string& material) {
  return (entry.object.empty() || entry.object == object) && (entry.material.empty() || entry.material == material);
}

/// Render materials of the outside and the cracks of an object where it is made of a material.
std::pair<std::string, std::string> surfaces_of(const sim::Scene& scene, const std::string& object,
                                                const std::string& material) {
  const auto& entries = scene.render.objects;
  const auto last = std::find_if(entries.rbegin(), entries.rend(),
                                 [&](const RenderObjectParameters& e) { return concerns(e, object, material); });
  return last == entries.rend() ? std::pair<std::string, std::string>{} : std::pair{last->outside, last->cracks};
}

}  // namespace

bool is_collider(const sim::Scene& scene, const RenderObjectParameters& entry) {
  return !entry.object.empty() &&
         std::ranges::find(scene.objects, entry.object, &sim::ObjectParameters::name) == scene.objects.end();
}

std::vector<render::Assignment> assignments_of(const sim::Scene& scene) {
  std::vector<render::Assignment> assignments;
  for (const RenderObjectParameters& entry : scene.render.objects) {
    render::Assignment assignment;
    assignment.outside = entry.outside;
    assignment.cracks = entry.cracks;
    if (is_collider(scene, entry)) assignment.collider = entry.object;
    std::set<std::string> materials;
    for (const sim::ObjectParameters& object : scene.objects)
      for (const std::string& material : materials_of(scene, object))
        if (concerns(entry, object.name, material)) materials.insert(material);
    if (materials.empty() && assignment.collider.empty() && !scene.objects.empty()) continue;  // of no object
    assignment.materials.assign(materials.begin(), materials.end());
    assignments.push_back(std::move(assignment));
  }
  return assignments;
}

std::optional<std::string> indistinct_material(const sim::Scene& scene) {
  std::map<std::string, std::pair<std::string, std::string>> first;
  for (const sim::ObjectParameters& object : scene.objects)
    for (const std::string& material : materials_of(scene, object)) {
      const auto surfaces = surfaces_of(scene, object.name, material);
      if (first.emplace(material, surfaces).first->second != surfaces) return material;
    }
  return std::nullopt;
}

}  // namespace brisance::app
