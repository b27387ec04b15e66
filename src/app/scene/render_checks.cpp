#include "app/scene/render_checks.hpp"

#include "brisance/core/error.hpp"
#include "brisance/render/kinds.hpp"

#include "app/cli/nearest.hpp"
#include "app/scene/frame_choice.hpp"
#include "app/scene/surface_materials.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace brisance::app {

namespace {

void check_image(const core::Specification& each, const std::string& table, std::size_t i, const Origins& origins) {
  const auto file = each.values.find("file");
  if (file == each.values.end()) return;
  const std::string& name = std::get<std::string>(file->second);
  if (!std::filesystem::exists(name))
    origins.refuse(table, i, "file",
                   table + ".file = \"" + name + "\" does not exist. Relative names start at the scene file.");
}

void check_kinds(const std::vector<core::Specification>& all, const std::vector<render::Kind>& kinds,
                 const std::string& table, const Origins& origins) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    try {
      render::check(kinds, all[i]);
    } catch (const core::Error& e) {
      origins.refuse(table, i, "", table + ": " + e.what());
    }
    check_image(all[i], table, i, origins);
  }
}

template <class Entries>
std::vector<std::string> names_of(const Entries& entries) {
  std::vector<std::string> names;
  for (const auto& each : entries) names.push_back(each.name);
  return names;
}

/// Throws unless `name` is empty or among the known ones.
void require_name(const std::string& name, const std::vector<std::string>& known, const std::string& key, std::size_t i,
                  const Origins& origins) {
  if (name.empty() || std::ranges::find(known, name) != known.end()) return;
  origins.refuse("render.object", i, key,
                 "render.object." + key + " = \"" + name + "\" is not known." +
                     (known.empty() ? " There is none." : " Did you mean \"" + nearest(name, known) + "\"?"));
}

void check_render_object(const sim::Scene& scene, std::size_t i, const Origins& origins) {
  const sim::RenderObjectParameters& entry = scene.render.objects[i];
  const auto materials = names_of(scene.render.materials);
  require_name(entry.outside, materials, "outside", i, origins);
  require_name(entry.cracks, materials, "cracks", i, origins);
  if (scene.objects.empty()) return;  // tables alone, for a run without a scene
  std::vector<std::string> bodies = names_of(scene.objects);
  for (const auto& collider : scene.colliders) bodies.push_back(collider.name);
  require_name(entry.object, bodies, "object", i, origins);
  require_name(entry.material, names_of(scene.materials), "material", i, origins);
  if (is_collider(scene, entry) && !entry.material.empty())
    origins.refuse("render.object", i, "material", "a collider has no material of this name; leave it out.");
}

void check_frames(const sim::RenderParameters& pictures, const Origins& origins) {
  try {
    (void)frame_choice("render.frames =", pictures.frames);
  } catch (const core::Error& e) {
    origins.refuse("render", 0, "frames", e.what());
  }
}

void check_keys(const sim::CameraParameters& camera, const Origins& origins) {
  for (std::size_t i = 0; i < camera.keys.size(); ++i) {
    if (i > 0 && camera.keys[i].time_s <= camera.keys[i - 1].time_s)
      origins.refuse("camera.key", i, "time_s", "times of camera.key must ascend.");
    if (camera.keys[i].eye == camera.keys[i].target)
      origins.refuse("camera.key", i, "eye_m", "eye_m and target_m are the same point.");
  }
}

}  // namespace

void check_pictures(const sim::Scene& scene, const Origins& origins) {
  check_kinds(scene.render.materials, render::material_kinds(), "render.material", origins);
  check_kinds(scene.render.lights, render::light_kinds(), "render.light", origins);
  for (std::size_t i = 0; i < scene.render.objects.size(); ++i) check_render_object(scene, i, origins);
  if (const auto shared = indistinct_material(scene))
    origins.refuse("render.object", 0, "",
                   "objects made of \"" + *shared +
                       "\" have different render materials, but frames only know the material of a tet. Give each "
                       "object a [[material]] of its own, with the same constants.");
  if (scene.render.branching_depth > scene.render.max_depth)
    origins.refuse("render", 0, "branching_depth", "render.branching_depth must not exceed render.max_depth.");
  check_frames(scene.render, origins);
  check_keys(scene.camera, origins);
}

}  // namespace brisance::app
