/// Every key of a scene: reading stores its value, and a written scene reads back the same.
#include "brisance/material/presets.hpp"

#include "app/scene/key.hpp"
#include "app/scene/scene.hpp"
#include "app/small_scene.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::app {
namespace {

/// A value that differs from the default and keeps the key's range.
Value changed(const Key& key, const Value& value) {
  switch (key.kind) {
    case Kind::boolean:
      return !std::get<bool>(value);
    case Kind::integer:
      if (key.range.high < 18) return static_cast<std::int64_t>(key.range.high);
      return std::get<std::int64_t>(value) == 17 ? std::int64_t{18} : std::int64_t{17};
    case Kind::real: {
      const double low = std::isfinite(key.range.low) ? key.range.low : 0;
      return low + (std::isfinite(key.range.high) ? key.range.high - low : 1) / 3;
    }
    case Kind::text:
      return std::string("a \"name\" with \\ and \t");
    case Kind::file:
      return std::string();
    case Kind::choice:  // the anisotropic law has other constants: a test of its own
      return key.name == "elastic_law" ? std::string("stvk") : key.choices.back();
    case Kind::flags:
      return std::vector<bool>{true, false, true};
    case Kind::reals:
      return key.length == 4 ? std::vector<double>{0.5, 0.5, 0.5, -0.5} : std::vector<double>{1.0 / 3, 2.0 / 3, 7e13};
    case Kind::words:
      return std::vector<std::string>{key.choices.back()};
    case Kind::rows:
      return std::vector<std::vector<double>>(
          3, key.length == 4 ? std::vector<double>{0, 0.6, 0, 0.8} : std::vector<double>{1e-3, 1.0 / 7, 1e300});
  }
  return value;
}

/// A scene in memory with every key of the table away from its default.
sim::Scene scene_with_every_key_changed() {
  sim::Scene scene;
  for (const Table& table : scene_tables()) {
    if (table.repeated()) table.append(scene);
    for (const Key& key : table.keys)
      if (const auto value = key.load(scene, 0)) key.store(scene, 0, changed(key, *value));
  }
  scene.materials[0].name = scene.objects[0].material;
  scene.regions[0].shape = sim::RegionShape::group;
  scene.parts[0].shape = sim::PartShape::group;
  scene.parts[0].material = scene.objects[0].material;
  scene.parts[0].object = scene.objects[0].name;
  return scene;
}

TEST(Scene, EveryKeyReadsBackToTheSameBits) {
  sim::Scene scene = scene_with_every_key_changed();
  scene.colliders[0].motion = contact::ColliderMotion::path;
  scene.colliders[0].shape = contact::ColliderShape::mesh;
  scene.colliders[0].file = std::filesystem::path(BRISANCE_SOURCE_DIR) / "configs" / "meshes" / "wedge.obj";
  scene.colliders[0].density_kg_m3 = 0;  // since the mass is given
  scene.objects[0].mesh.target_tets = 0;
  scene.objects[0].mesh.shape = mesh::ShapeKind::slab;
  scene.materials[0].strength_ratio = Vec3::Ones();                       // not with the hoop direction
  scene.materials[0].plastic_limit = scene.materials[0].crush_below = 0;  // not with implicit steps
  scene.fracture.front_toughness = fracture::FrontToughness::strength;    // principal stress has no energy criterion
  scene.fracture.tips = {{0, 1.0 / 3}};
  scene.fracture.cohesive = false;                      // not with implicit steps
  scene.materials[0].initial_plastic_strain.setZero();  // not with implicit steps
  scene.time.energy_watch_limit = 1;
  scene.time.integrator = dynamics::Integrator::hht;  // statics has neither such loads nor a step length
  scene.time.load_steps = dynamics::Parameters().load_steps;
  scene.loads[0].kind = sim::LoadKind::pressure;
  scene.loads[0].pressure_pa = 0;
  scene.loads[0].profile = {{1e-3, 1e300}, {1.0 / 3, 1.0 / 7}};
  scene.factors[0].of = sim::FactorOf::strength;
  scene.factors[0].formula = "1 + x";  // one of five alternative sources
  scene.factors[0].field.clear();
  scene.factors[0].colour = sim::VertexColour::none;
  scene.factors[0].image.clear();
  scene.factors[0].weibull_modulus = 0;
  scene.factors[0].material = scene.materials[0].name;
  scene.factors[0].object = scene.objects[0].name;
  scene.camera.eye.x() = 2;
  scene.camera.keys[0].eye = Vec3(0.1, 0.2, 0.3);
  scene.render.materials[0] = {
      "pane", "dielectric", {{"index", 4.0 / 3}, {"roughness", 1.0 / 3}, {"absorption_per_m", Vec3(1, 2.0 / 3, 0)}}};
  scene.render.lights[0] = {"lamp", "sphere", {{"centre_m", Vec3(1, 2, 1.0 / 3)}, {"radius_m", 1.0 / 7}}};
  scene.render.frames = "1:9:2";
  scene.render.objects[0] = {scene.objects[0].name, scene.materials[0].name, "pane", "pane"};
  const sim::Scene again = parse_scene(to_toml(scene), "scene.toml");
  for (const Table& table : scene_tables())
    for (const Key& key : table.keys)
      EXPECT_EQ(key.load(scene, 0), key.load(again, 0)) << table.path << " " << key.name;
  EXPECT_EQ(to_toml(again), to_toml(scene));
}

TEST(Scene, EveryKeyStoresIntoAPlaceOfItsOwn) {
  const sim::Scene changed_scene = scene_with_every_key_changed();
  for (const Table& table : scene_tables())
    for (const Key& key : table.keys) {
      sim::Scene one;
      for (const Table& t : scene_tables())
        if (t.repeated()) t.append(one);
      const auto before = to_toml(one);
      const auto value = key.load(changed_scene, 0);
      if (!value || key.name.starts_with("path_") || key.load(one, 0) == value) continue;
      key.store(one, 0, *value);
      // One line of the written scene changes and no other.
      std::istringstream a(before), b(to_toml(one));
      int lines_changed = 0;
      for (std::string x, y; std::getline(a, x) && std::getline(b, y);) lines_changed += x != y;
      EXPECT_EQ(lines_changed, 1) << table.path << " " << key.name;
    }
}

TEST(Scene, DefaultsSatisfyTheirOwnRanges) {
  sim::Scene scene;
  for (const Table& table : scene_tables()) {
    if (table.repeated()) table.append(scene);
    for (const Key& key : table.keys) {
      EXPECT_FALSE(key.sentence.empty()) << key.name;
      const auto value = key.load(scene, 0);
      // Keys without a default must be given: density, duration, shear modulus.
      const bool must_be_given = (table.path == "material" && key.name == "density_kg_m3") ||
                                 key.name == "duration_s" || key.name == "lame_mu_pa";
      if (!value || !std::holds_alternative<double>(*value)) continue;
      EXPECT_EQ(key.range.holds(std::get<double>(*value)), !must_be_given) << key.name;
    }
  }
}

}  // namespace
}  // namespace brisance::app
