/// Converts sim::Scene to complete TOML text.
#include "brisance/contact/shapes/shape_kinds.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/text_difference.hpp"

#include "app/scene/key.hpp"
#include "app/scene/scene.hpp"

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

void write_keys(std::string& text, const Table& table, const sim::Scene& scene, std::size_t index) {
  for (const Key& key : table.keys)
    if (const auto value = key.load(scene, index)) text += fmt::format("{} = {}\n", key.name, toml_text(*value));
}

bool is_part_of(const Table& table, const Table& parent) {
  return !parent.path.empty() && table.path.starts_with(parent.path + ".");
}

/// The entries of a repeated table, each followed by its sub-tables.
void write_entries(std::string& text, const Table& table, const sim::Scene& scene) {
  for (std::size_t i = 0; i < table.count(scene); ++i) {
    text += fmt::format("\n[[{}]]\n", table.path);
    write_keys(text, table, scene, i);
    for (const Table& part : scene_tables()) {
      if (!is_part_of(part, table)) continue;
      text += fmt::format("[{}]\n", part.path);
      write_keys(text, part, scene, i);
    }
  }
}

}  // namespace

std::string to_toml(const sim::Scene& scene) {
  std::string text;
  for (const Table& table : scene_tables()) {
    if (table.repeated()) {
      write_entries(text, table, scene);
    } else if (!table.count) {  // the others are sub-tables of entries: write_entries
      if (!table.path.empty()) text += fmt::format("\n[{}]\n", table.path);
      write_keys(text, table, scene, 0);
    }
  }
  return text;
}

namespace {

/// A scene with only those settings that a branch of a run (--branch) may not change; all others have their defaults.
sim::Scene shape_of_state(const sim::Scene& scene) {
  sim::Scene kept;
  kept.objects = scene.objects;
  kept.parts = scene.parts;
  kept.factors = scene.factors;
  for (const auto& m : scene.materials) {
    auto& material = kept.materials.emplace_back();
    material.name = m.name;
    material.plastic_limit = m.is_plastic() ? 1 : 0;
    material.initial_plastic_strain = m.initial_plastic_strain;
    material.crush_below = m.can_be_crushed() ? 1 : 0;
  }
  for (const auto& r : scene.regions)
    kept.regions.push_back({.name = r.name,
                            .shape = r.shape,
                            .group = r.group,
                            .low = r.low,
                            .high = r.high,
                            .centre = r.centre,
                            .radius_m = r.radius_m,
                            .normal = r.normal});
  for (const auto& c : scene.colliders) {
    auto& collider = kept.colliders.emplace_back();
    collider.name = c.name;
    if (!contact::shape_kind(c.shape).reads_file) continue;
    collider.shape = c.shape;
    collider.file = c.file;
    collider.scale = c.scale;
  }
  for (const auto& l : scene.loads)
    kept.loads.push_back({.name = l.name,
                          .kind = l.kind,
                          .shape = l.shape,
                          .group = l.group,
                          .low = l.low,
                          .high = l.high,
                          .centre = l.centre,
                          .radius_m = l.radius_m,
                          .normal = l.normal});
  kept.fracture.cohesive = scene.fracture.cohesive;
  if (scene.time.integrator == dynamics::Integrator::hht) kept.time.integrator = scene.time.integrator;
  return kept;
}

}  // namespace

void require_same_state(const sim::Scene& before, const sim::Scene& now) {
  const std::string there = to_toml(shape_of_state(before)), here = to_toml(shape_of_state(now));
  if (there == here) return;
  throw core::Error(fmt::format(
      "a run cannot branch off into this scene ({}). Objects, parts, factors, where regions and loads are, which "
      "materials flow or can be crushed, whether time.integrator is \"hht\", whether fracture.cohesive is true, the "
      "names "
      "and numbers of materials, regions and colliders, and the files of mesh colliders are in the checkpoint and "
      "stay.",
      core::first_difference(there, here)));
}

std::string past_of(sim::Scene scene) {
  const bool energy_ledger = scene.output.energy_ledger;
  scene.output = {};
  scene.output.energy_ledger = energy_ledger;
  scene.camera = {};
  scene.render = {};
  scene.title.clear();
  scene.duration_s = 1;
  return to_toml(scene);
}

}  // namespace brisance::app
