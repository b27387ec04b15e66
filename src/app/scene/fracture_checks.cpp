#include "app/scene/fracture_checks.hpp"

#include "brisance/fracture/criteria/criterion.hpp"

#include "app/scene/key.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace brisance::app {

namespace {

/// Refuses keys of other criteria than the scene's. A scene that was written back has all of them at their defaults.
void check_keys_of_criteria(const sim::Scene& scene, const Origins& origins) {
  const std::span mine = fracture::criterion_kind(scene.fracture.criterion).keys;
  for (const fracture::CriterionKind* kind : fracture::criterion_kinds())
    for (const std::string_view name : kind->keys) {
      const Key& key = *find_table("fracture")->find(std::string(name));
      if (std::ranges::find(mine, name) == mine.end() && key.load(scene, 0) != key.load({}, 0))
        origins.refuse("fracture", 0, key.name,
                       fmt::format("fracture.{} goes with fracture.criterion = \"{}\"; choose that, or leave it out.",
                                   key.name, kind->name));
    }
}

}  // namespace

void check_fracture(const sim::Scene& scene, const Origins& origins) {
  check_keys_of_criteria(scene, origins);
  if (scene.fracture.front_toughness == fracture::FrontToughness::energy &&
      !fracture::make_criterion(scene.fracture)->traits().has_front_limit)
    origins.refuse("fracture", 0, "toughness",
                   "fracture.toughness = \"energy\" uses the separation tensor, whose stress at a tip is known; "
                   "leave fracture.criterion out, or choose fracture.toughness = \"strength\".");
}

void check_cohesion(const sim::Scene& scene, const Origins& origins) {
  if (!scene.fracture.cohesive) return;
  if (!dynamics::kind_of(scene.time.integrator).is_leap_frog)
    origins.refuse(
        "fracture", 0, "cohesive",
        "cohesive tractions are supported with time.integrator = \"symplectic_euler\" alone; choose that, or leave "
        "fracture.cohesive out.");
  for (std::size_t i = 0; i < scene.materials.size(); ++i) {
    const material::Material& m = scene.materials[i];
    if (fracture::is_breakable(scene.fracture, i, m) && !(fracture::fracture_energy(scene.fracture, i, m) > 0))
      origins.refuse("material", i, "",
                     "fracture.cohesive asks what a crack costs: give material \"" + m.name +
                         "\" fracture_energy_j_m2 or k_ic_pa_sqrt_m, or leave fracture.cohesive out.");
  }
  for (std::size_t i = 0; i < scene.factors.size(); ++i)
    if (scene.factors[i].of == sim::FactorOf::stiffness)
      origins.refuse(
          "factor", i, "of",
          "what a crack costs in a material that is stiffer from place to place is not said; leave the factor "
          "on stiffness out, or fracture.cohesive.");
}

}  // namespace brisance::app
