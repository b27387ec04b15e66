#include "app/scene/scene_checks.hpp"

#include "brisance/fracture/criteria/criterion.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/sim/crush.hpp"

#include "app/cli/nearest.hpp"
#include "app/scene/basis_checks.hpp"
#include "app/scene/collider_checks.hpp"
#include "app/scene/fracture_checks.hpp"
#include "app/scene/key.hpp"
#include "app/scene/load_checks.hpp"
#include "app/scene/part_checks.hpp"
#include "app/scene/place_checks.hpp"
#include "app/scene/render_checks.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>

namespace brisance::app {

namespace {

/// Keys that belong to another law, or to none.
void check_directions(const sim::Scene& scene, std::size_t i, const Origins& origins) {
  const material::Material& m = scene.materials[i];
  for (const char* key : {"youngs_modulus_pa", "poissons_ratio", "lame_lambda_pa", "lame_mu_pa"})
    if (material::is_anisotropic(m) && origins.given("material", i, key))
      origins.refuse("material", i, key,
                     std::string(key) +
                         " is of an isotropic material; with elastic_law = \"anisotropic\" give youngs_moduli_pa, "
                         "poissons_ratios and shear_moduli_pa, or stiffness_pa.");
  for (const char* key : {"youngs_moduli_pa", "poissons_ratios", "shear_moduli_pa", "stiffness_pa"})
    if (!material::is_anisotropic(m) && origins.given("material", i, key))
      origins.refuse("material", i, key, std::string(key) + " goes with elastic_law = \"anisotropic\"; give that too.");
  if (material::is_anisotropic(m) && scene.fracture.direction == fracture::Direction::hoop)
    origins.refuse(
        "material", i, "elastic_law",
        "fracture.direction = \"hoop\" goes by the stress at a tip in an isotropic material; leave it out, or "
        "take elastic_law = \"stvk\".");
  if (material::has_directional_strength(m) && scene.fracture.direction == fracture::Direction::hoop)
    origins.refuse("material", i, "strength_ratio",
                   "fracture.direction = \"hoop\" is that of a material which is as strong along any axis; leave it or "
                   "material.strength_ratio out.");
}

/// Chooses the law of materials without one: neo-Hookean where there is no plasticity and steps are explicit.
void choose_laws(sim::Scene& scene, const Origins& origins) {
  for (std::size_t i = 0; i < scene.materials.size(); ++i) {
    material::Material& m = scene.materials[i];
    if (origins.given("material", i, "elastic_law") || material::is_anisotropic(m)) continue;
    const bool takes_stvk = m.is_plastic() || dynamics::is_implicit(scene.time.integrator);
    m.elastic_law = takes_stvk ? material::ElasticLaw::stvk : material::ElasticLaw::neo_hookean;
  }
}

void check_materials(const sim::Scene& scene, const Origins& origins) {
  if (sim::with_crushed_forms(scene.materials).size() > material::kMostMaterials)
    origins.refuse("material", material::kMostMaterials, "",
                   "there can be at most " + std::to_string(material::kMostMaterials) +
                       " materials, those with crush_below counted twice; leave out those that no object is made of.");
  const bool compares_stress = fracture::make_criterion(scene.fracture)->traits().is_stress;
  for (std::size_t i = 0; i < scene.materials.size(); ++i) {
    const auto& m = scene.materials[i];
    const bool stiffness = origins.given("material", i, "youngs_modulus_pa");
    if (!origins.given("material", i, "preset") && stiffness != origins.given("material", i, "poissons_ratio"))
      origins.refuse("material", i, stiffness ? "youngs_modulus_pa" : "poissons_ratio",
                     "youngs_modulus_pa and poissons_ratio belong together; give both, or a preset.");
    check_directions(scene, i, origins);
    if (!(m.lame_mu > 0) && !material::is_anisotropic(m) && i < scene.fracture.tips.size())
      for (const auto& [key, value] : {std::pair("fracture_energy_j_m2", scene.fracture.tips[i].energy),
                                       std::pair("k_ic_pa_sqrt_m", scene.fracture.tips[i].stress_intensity)})
        if (value > 0)
          origins.refuse("material", i, key,
                         std::string(key) +
                             " says nothing without the stiffness; give youngs_modulus_pa and "
                             "poissons_ratio too.");
    try {
      material::check(m);
    } catch (const core::Error& e) {
      origins.refuse("material", i, "", e.what());
    }
    if (scene.fracture.front_toughness == fracture::FrontToughness::energy && m.toughness > 0 &&
        std::isfinite(m.toughness) && !(fracture::tip_toughness(scene.fracture, i, m) > 0))
      origins.refuse("material", i, "",
                     "fracture.toughness = \"energy\" asks what a crack costs: give material \"" + m.name +
                         "\" fracture_energy_j_m2 or k_ic_pa_sqrt_m, or choose fracture.toughness = \"strength\".");
    if (compares_stress && m.toughness > 0 && m.toughness_mode == material::ToughnessMode::force)
      origins.refuse("material", i, "toughness_n",
                     "fracture.criterion = \"" + scene.fracture.criterion +
                         "\" compares stresses, and a force is none; give strength_pa.");
  }
}

void check_refinement(const sim::Scene& scene, std::size_t i, const Origins& origins) {
  if (scene.objects[i].mesh.refine != sim::refinements(scene))
    origins.refuse("object.mesh", i, "refine",
                   "object.mesh.refine must be the same for all objects; give the finer ones more target_tets.");
}

void resolve_material(sim::ObjectParameters& object, std::size_t i, const std::vector<material::Material>& materials,
                      const Origins& origins) {
  if (materials.empty())
    origins.refuse("object", i, "", "the scene has no [[material]]; add one, for example with preset = \"glass\".");
  if (object.material.empty()) {
    if (materials.size() > 1)
      origins.refuse("object", i, "", "object.material is missing; name one of the scene's materials.");
    object.material = materials.front().name;
  }
  std::vector<std::string> names;
  for (const auto& m : materials) names.push_back(m.name);
  if (std::find(names.begin(), names.end(), object.material) == names.end())
    origins.refuse(
        "object", i, "material",
        "there is no material \"" + object.material + "\". Did you mean \"" + nearest(object.material, names) + "\"?");
}

void check_mesh(const mesh::Request& mesh, std::size_t i, const Origins& origins) {
  const auto refuse = [&](const std::string& key, const std::string& text) {
    origins.refuse("object.mesh", i, key, "object.mesh." + text);
  };
  if (mesh.shape == mesh::ShapeKind::file) {
    if (mesh.file.empty()) refuse("shape", "file is missing; name a surface or tetrahedral mesh, or choose a shape.");
    if (!std::filesystem::exists(mesh.file))
      refuse("file", "file = \"" + mesh.file.string() + "\" does not exist. Relative names start at the scene file.");
  } else if (!mesh.file.empty()) {
    refuse("file", "file and object.mesh.shape are both given; leave one out.");
  }
  if (mesh.shape != mesh::ShapeKind::file) {
    try {
      mesh::require_valid_shape(mesh);
    } catch (const core::Error& e) {
      origins.refuse("object.mesh", i, "shape", e.what());
    }
  }
  if (mesh.target_tets > 0 && mesh.edge_length_m > 0)
    refuse("target_tets", "target_tets and object.mesh.edge_length_m are both given; leave one out.");
}

constexpr std::size_t kMostRegions = 32;  // the regions of a node are the bits of a word

void resolve_shape(sim::RegionParameters& region, std::size_t i, const Origins& origins) {
  if (!region.group.empty() && !origins.given("region", i, "shape")) region.shape = sim::RegionShape::group;
}

void check_region(const sim::RegionParameters& region, std::size_t i, const Origins& origins) {
  const auto refuse = [&](const std::string& key, const std::string& text) { origins.refuse("region", i, key, text); };
  if (region.shape == sim::RegionShape::group && region.group.empty())
    refuse("shape", "region.group is missing; give the name in the file, as in group = \"lid\".");
  check_place(region, region.shape, "region", refuse);
  const bool is_torus = region.shape == sim::RegionShape::torus;
  if (is_torus && region.radius_m <= 0) refuse("radius_m", "a torus needs region.radius_m, positive.");
  if (is_torus && region.normal.norm() == 0) refuse("normal", "region.normal must not be zero (up is [0, 0, 1]).");
  if (is_torus && region.tube_radius_m <= 0) refuse("tube_radius_m", "a torus needs region.tube_radius_m, positive.");
}

/// Refuses keys of implicit steps that would have no effect. A scene that was written back has all of them at their
/// defaults.
void check_explicit(const dynamics::Parameters& time, const Origins& origins) {
  const dynamics::Parameters none;
  const auto refuse_unless = [&](const std::string& key, bool is_default) {
    if (!is_default)
      origins.refuse(
          "time", 0, key,
          "time." + key + " goes with implicit steps; add time.integrator = \"implicit_euler\", or leave it out.");
  };
  refuse_unless("step_s", time.step_s == none.step_s);
  refuse_unless("crack_steps", time.crack_steps == none.crack_steps);
  refuse_unless("load_steps", time.load_steps == none.load_steps);
  refuse_unless("hht_alpha", time.hht_alpha == none.hht_alpha);
  refuse_unless("strain", time.strain == none.strain);
  refuse_unless("mass_damping_per_s", time.mass_damping_per_s == none.mass_damping_per_s);
  refuse_unless("stiffness_damping_s", time.stiffness_damping_s == none.stiffness_damping_s);
  refuse_unless("solver", time.solver == none.solver);
  refuse_unless("solver_tolerance", time.solver_tolerance == none.solver_tolerance);
  refuse_unless("basis", time.basis == none.basis);
}

/// Refuses keys of one solution method in a scene that uses another.
void check_keys_of_one(const dynamics::Parameters& time, const Origins& origins) {
  const dynamics::Parameters none;
  if (time.integrator != dynamics::Integrator::hht && time.hht_alpha != none.hht_alpha)
    origins.refuse("time", 0, "hht_alpha",
                   "time.hht_alpha goes with time.integrator = \"hht\"; choose that, or leave it out.");
  if (time.integrator == dynamics::Integrator::statics && time.crack_steps != none.crack_steps)
    origins.refuse("time", 0, "crack_steps",
                   "time.crack_steps goes with implicit_euler and hht; cracks of statics run to where they stop before "
                   "the load grows. Leave it out.");
  if (time.integrator != dynamics::Integrator::statics && time.load_steps != none.load_steps)
    origins.refuse("time", 0, "load_steps",
                   "time.load_steps goes with time.integrator = \"static\"; choose that, or leave it out.");
}

void check_energy_watch(const dynamics::Parameters& time, const Origins& origins) {
  if (time.energy_watch_limit == 1) return;
  if (dynamics::is_implicit(time.integrator))
    origins.refuse("time", 0, "energy_watch_limit",
                   "implicit steps are never longer than time.step_s; leave time.energy_watch_limit out.");
  if (!time.watch_energy)
    origins.refuse("time", 0, "energy_watch_limit",
                   "steps longer than the stable one need time.watch_energy = true; set it, or leave "
                   "time.energy_watch_limit out.");
}

/// Contact of deformable bodies is supported by some integrators only: others do not conserve a pair's energy.
void check_contact(const sim::Scene& scene, const Origins& origins) {
  if (sim::contact_criterion(scene) != contact::ContactCriterion::overlap_volume && sim::bodies_touch(scene) &&
      dynamics::is_implicit(scene.time.integrator))
    origins.refuse(
        "contact", 0, "criterion",
        "only contact.criterion = \"overlap_volume\" goes with implicit steps: forces of the others jump where "
        "a node passes from one side or facet to another. Choose it, or time.integrator = "
        "\"symplectic_euler\".");
  if (scene.contact.enabled != contact::ContactSwitch::on || dynamics::kind_of(scene.time.integrator).bodies_can_touch)
    return;
  if (scene.time.integrator == dynamics::Integrator::statics)
    origins.refuse(
        "contact", 0, "enabled",
        "contact between objects is not supported with time.integrator = \"static\": a body that only others "
        "support would have no definite position until they touch. Choose \"implicit_euler\" with "
        "time.mass_damping_per_s, which "
        "comes to rest, or contact.enabled = \"off\".");
  origins.refuse("contact", 0, "enabled",
                 "contact between objects needs time.integrator = \"symplectic_euler\", \"implicit_euler\" or "
                 "\"hht\"; choose one of these, or contact.enabled = \"off\".");
}

/// Refuses settings that are meaningless or unsupported in statics.
void check_static(const sim::Scene& scene, const Origins& origins) {
  if (scene.time.step_s > 0)
    origins.refuse("time", 0, "step_s",
                   "time.integrator = \"static\" divides the load by time.load_steps; leave time.step_s out.");
  if (scene.time.mass_damping_per_s > 0)
    origins.refuse("time", 0, "mass_damping_per_s", "nothing moves in statics; leave time.mass_damping_per_s out.");
  if (scene.time.stiffness_damping_s > 0)
    origins.refuse("time", 0, "stiffness_damping_s", "nothing moves in statics; leave time.stiffness_damping_s out.");
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    if (scene.objects[i].velocity.norm() > 0)
      origins.refuse("object", i, "velocity_m_s", "nothing moves in statics; leave the object's velocity out.");
    if (scene.objects[i].angular_velocity.norm() > 0)
      origins.refuse("object", i, "angular_velocity_rad_s", "nothing turns in statics; leave the object's spin out.");
  }
  for (std::size_t i = 0; i < scene.colliders.size(); ++i) {
    if (scene.colliders[i].motion != contact::ColliderMotion::fixed)
      origins.refuse("collider", i, "motion",
                     "colliders stay where they are with time.integrator = \"static\"; leave collider.motion out, or "
                     "move a [[region]] of the object.");
    if (scene.colliders[i].friction > 0)
      origins.refuse("collider", i, "friction",
                     "contact has no friction with time.integrator = \"static\"; give collider.friction = 0.");
  }
  for (std::size_t i = 0; i < scene.loads.size(); ++i)
    if (scene.loads[i].kind != sim::LoadKind::pressure)
      origins.refuse("load", i, "kind",
                     "blasts and impulses go with motion; with time.integrator = \"static\" loads are pressures, "
                     "which grow evenly or as load.profile_s_pa says.");
}

/// Refuses settings that implicit steps do not support.
void check_implicit(const sim::Scene& scene, const Origins& origins) {
  const bool is_static = scene.time.integrator == dynamics::Integrator::statics;
  if (scene.fracture.dust == fracture::Dust::particles)
    origins.refuse("fracture", 0, "dust",
                   "particles fly in explicit steps; with implicit ones small pieces stay tets. Leave fracture.dust "
                   "out, or choose time.integrator = \"symplectic_euler\".");
  if (is_static) check_static(scene, origins);
  check_keys_of_one(scene.time, origins);
  if (!is_static && scene.time.step_s <= 0)
    origins.refuse("time", 0, "step_s",
                   "implicit steps need time.step_s, their length; for example 0.002, or the time between two frames.");
  if (scene.time.watch_energy && is_static)
    origins.refuse("time", 0, "watch_energy",
                   "statics have no motion whose energy grows; leave time.watch_energy out.");
  for (std::size_t i = 0; i < scene.materials.size(); ++i) {
    const auto refuse = [&](const std::string& key, const std::string& what) {
      origins.refuse("material", i, key,
                     what + (is_static ? " with statics" : " with implicit steps") +
                         "; leave it out, or choose time.integrator = \"symplectic_euler\".");
    };
    if (is_static && scene.materials[i].is_plastic()) refuse("plastic_limit", "plastic flow does not go");
    if (scene.materials[i].can_be_crushed()) refuse("crush_below", "crushing does not go");
    if (material::is_neo_hookean(scene.materials[i])) refuse("elastic_law", "the neo-Hookean law does not go");
  }
  for (std::size_t i = 0; i < scene.colliders.size(); ++i)
    if (scene.colliders[i].motion == contact::ColliderMotion::free)
      origins.refuse("collider", i, "motion",
                     "free colliders do not go with implicit steps; put it on a path, or choose "
                     "time.integrator = \"symplectic_euler\".");
}

/// Multiples of an interval are counted in double precision.
void check_intervals(const sim::Scene& scene, const Origins& origins) {
  constexpr double kMostIntervals = 1e15;
  for (const auto& [key, interval_s] : {std::pair("frame_interval_s", scene.output.frame_interval_s),
                                        std::pair("surface_interval_s", scene.output.surface_interval_s),
                                        std::pair("monitor_interval_s", scene.output.monitor_interval_s)})
    if (interval_s > 0 && !(scene.duration_s / interval_s <= kMostIntervals))
      origins.refuse("output", 0, key,
                     fmt::format("output.{} = {:g} is too short: time.duration_s = {:g} has more than 1e15 of it. With "
                                 "the length of a step something is written at every step, and never more often.",
                                 key, interval_s, scene.duration_s));
}

/// The default name of a table's entry.
std::string name_by_default(const Table& table, const Key& key) {
  sim::Scene scene;
  table.append(scene);
  return std::get<std::string>(key.load(scene, 0).value());
}

/// Names within a table must be unique: keys and messages refer to an entry by its name. Entries without a given name
/// are not referred to, except materials.
void check_names(const sim::Scene& scene, const Origins& origins) {
  for (const Table& table : scene_tables()) {
    const Key* key = table.repeated() ? table.find("name") : nullptr;
    const std::string unnamed = key ? name_by_default(table, *key) : "";
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; key && i < table.count(scene); ++i) {
      const auto name = std::get<std::string>(key->load(scene, i).value());
      if ((name == unnamed || name.empty()) && table.path != "material") continue;
      if (const auto [entry, is_new] = first.emplace(name, i); !is_new)
        origins.refuse(table.path, i, "name",
                       fmt::format("a second {} is called \"{}\", as the one at {}; give it another name.", table.path,
                                   name, origins.where(table.path, entry->second, "name")));
    }
  }
}

}  // namespace

void complete_and_check(sim::Scene& scene, const Origins& origins) {
  if (!origins.given("time", 0, "duration_s"))
    origins.refuse("time", 0, "", "time.duration_s is missing; say how long to simulate, for example 0.1.");
  if (scene.objects.empty()) origins.refuse("object", 0, "", "the scene has no [[object]]; there is nothing to break.");
  check_intervals(scene, origins);
  check_names(scene, origins);
  choose_laws(scene, origins);
  check_materials(scene, origins);
  check_energy_watch(scene.time, origins);
  check_contact(scene, origins);
  check_fracture(scene, origins);
  check_cohesion(scene, origins);
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    resolve_material(scene.objects[i], i, scene.materials, origins);
    check_refinement(scene, i, origins);
    check_mesh(scene.objects[i].mesh, i, origins);
  }
  complete_and_check_parts(scene, origins);
  check_factors(scene, origins);
  if (scene.regions.size() > kMostRegions)
    origins.refuse("region", kMostRegions, "", "there can be at most 32 regions; join some.");
  for (std::size_t i = 0; i < scene.regions.size(); ++i) {
    resolve_shape(scene.regions[i], i, origins);
    check_region(scene.regions[i], i, origins);
  }
  for (std::size_t i = 0; i < scene.colliders.size(); ++i) check_collider(scene.colliders[i], i, origins);
  complete_and_check_loads(scene.loads, origins);
  if (scene.time.rebalance_above > 0 && scene.time.rebalance_above < 1)
    origins.refuse(
        "time", 0, "rebalance_above",
        "no rank is busier than the busiest: time.rebalance_above is 0 (never), 1 (always) or more, as 1.1.");
  if (dynamics::is_implicit(scene.time.integrator))
    check_implicit(scene, origins);
  else
    check_explicit(scene.time, origins);
  check_basis(scene, origins);
  if (!scene.camera.automatic && scene.camera.eye == scene.camera.target)
    origins.refuse("camera", 0, "eye_m", "camera.eye_m and camera.target_m are the same point.");
  check_pictures(scene, origins);
}

}  // namespace brisance::app
