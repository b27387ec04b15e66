#include "brisance/sim/setup/start_checks.hpp"

#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/contact/shapes/shape_kinds.hpp"
#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/core/error.hpp"

#include "box_of.hpp"
#include "sim/cracks_inside_tets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace brisance::sim {

namespace {

constexpr double kOddSpeed = 10;   ///< speed over that of pressure waves
constexpr double kOddDepth = 0.1;  ///< depth in a collider over the object's smallest extent

/// λ/μ at ν = 0.495; above it an element is a hundred times as stiff in volume as in shape.
constexpr double kLocks = 99;

bool locks(const material::Material& m) { return m.lame_mu > 0 && m.lame_lambda > kLocks * m.lame_mu; }

double fastest_wave(const Scene& scene) {
  double fastest = 0;
  for (const auto& m : scene.materials) fastest = std::max(fastest, material::pressure_wave_speed(m));
  return fastest;
}

double largest_speed(const contact::ColliderParameters& collider) {
  if (collider.motion == contact::ColliderMotion::free) return collider.velocity.norm();
  double speed = 0;
  for (std::size_t i = 1; i < collider.path.size(); ++i) {
    const auto &from = collider.path[i - 1], &to = collider.path[i];
    speed = std::max(speed, (to.position - from.position).norm() / (to.time_s - from.time_s));
  }
  return collider.motion == contact::ColliderMotion::path ? speed : 0;
}

void warn_of_speed(const std::string& who, double speed, double wave_speed, std::vector<std::string>& warnings) {
  if (!(speed > kOddSpeed * wave_speed)) return;
  warnings.push_back(
      fmt::format("warning: {} moves at {:.3g} m/s, {:.3g} times the speed of pressure waves ({:.3g} m/s): it can "
                  "pass through what it meets between two steps. Check units and times.",
                  who, speed, speed / wave_speed, wave_speed));
}

std::string named(const char* kind, const std::string& name) {
  return fmt::format("{} \"{}\"", kind, name.empty() ? "unnamed" : name);
}

/// Depths of an object's points in a body [m]; positive inside.
struct Depths {
  double shallowest = std::numeric_limits<double>::infinity(), deepest = -shallowest;
};

/// Depths over the points of all ranks. Collective.
Depths depths_in(const core::Comm& comm, const contact::PlacedShape& shape, std::span<const Vec3> points) {
  Depths depths;
  for (const Vec3& x : points) {
    const double depth = -contact::distance_inside(shape, x).distance;
    depths.shallowest = std::min(depths.shallowest, depth);
    depths.deepest = std::max(depths.deepest, depth);
  }
  return {comm.min(depths.shallowest), comm.max(depths.deepest)};
}

/// Stability: ω² Δt² is up to 4 s² for elements, at the share s of their stable step, and 4 κ for contact; the sum may
/// be 4 at most.
void check_surface_stiffness(const Scene& scene, std::vector<std::string>& warnings) {
  if (!surfaces_touch(scene)) return;
  const double scale = scene.contact.stiffness_scale, safety = scene.time.step_safety;
  const double alone = 1 / contact::kStiffnessShare, beside = std::max(0.0, 1 - safety * safety) * alone;
  const std::string advice = fmt::format(
      "with time.step_safety = {:g} steps bear {:.3g}. Lower contact.stiffness_scale, or, for stiffer contact, "
      "time.step_safety.",
      safety, beside);
  if (scale >= alone)
    throw core::Error(fmt::format("contact.stiffness_scale = {:g}: no step bears such a stiffness, not even {:.3g}; {}",
                                  scale, alone, advice));
  if (scale > beside)
    warnings.push_back(
        fmt::format("warning: contact.stiffness_scale = {:g}: contact may gain energy; {}", scale, advice));
}

/// What virtual nodes do not know: surfaces inside elements in overlaps of tets and in cohesive links.
void check_virtual_nodes(const Scene& scene) {
  if (!cracks_inside_tets(scene)) return;
  const auto refuse = [](const std::string& what, const std::string& advice) {
    throw core::Error("fracture.cutter = \"virtual_nodes\" does not know " + what + ". " + advice +
                      ", or choose fracture.cutter = \"remeshing\".");
  };
  if (tets_touch(scene))
    refuse("contact by overlaps of tets", "Set contact.criterion = \"surface\", or contact.enabled = \"off\"");
  if (scene.fracture.cohesive) refuse("cohesive tractions", "Set fracture.cohesive = false");
  const dynamics::Integrator integrator = scene.time.integrator;
  if (dynamics::is_implicit(integrator) && integrator != dynamics::Integrator::implicit_euler)
    refuse("second-order implicit steps and statics", "Set time.integrator = \"implicit_euler\"");
  if (dynamics::is_implicit(integrator) && scene.time.solver != dynamics::Solver::lattice)
    refuse("solvers of PETSc", "Set time.solver = \"lattice\"");
  if (scene.time.basis == dynamics::BasisKind::hierarchical)
    refuse("time.basis = \"hierarchical\", whose functions end at faces of tets", "Set time.basis = \"nodal\"");
}

}  // namespace

std::string advice_on_locking(const Scene& scene) {
  const auto m = std::ranges::find_if(scene.materials, locks);
  if (m == scene.materials.end()) return "";
  return fmt::format(
      " Material \"{}\" is nearly incompressible (Poisson's ratio {:.6g}): linear tets lock there, and equations take "
      "many "
      "iterations. Try a Poisson's ratio of 0.49 or less.",
      m->name, material::poissons_ratio(*m));
}

std::vector<std::string> scene_warnings(const Scene& scene) {
  contact::RigidColliders(scene.colliders).let_bodies_touch(1);
  check_virtual_nodes(scene);
  std::vector<std::string> warnings;
  check_surface_stiffness(scene, warnings);
  if (scene.objects.size() > 1 && !bodies_touch(scene))
    warnings.push_back(
        fmt::format("warning: the {} objects of the scene do not meet each other: contact is with colliders only, and "
                    "objects, like the pieces of one, pass through each other. With time.integrator = "
                    "\"symplectic_euler\", \"implicit_euler\" or \"hht\" and contact.enabled = \"auto\" or \"on\" they "
                    "press on each other.",
                    scene.objects.size()));
  for (const material::Material& m : scene.materials)
    if (locks(m))
      warnings.push_back(fmt::format(
          "warning: material \"{}\" is nearly incompressible (Poisson's ratio {:.6g}). Linear tets lock there: a body "
          "is "
          "too stiff in bending, its stress uneven from tet to tet, and implicit steps take many iterations. With a "
          "Poisson's ratio of 0.49 or less the shape is nearly the same.",
          m.name, material::poissons_ratio(m)));
  for (const material::Material& m : scene.materials)
    if (!material::is_anisotropic(m) && !material::has_directional_strength(m) &&
        (m.grain != material::Material().grain || m.second_axis != material::Material().second_axis))
      warnings.push_back(fmt::format(
          "warning: material {} has a grain or a second axis, but is the same along any: elastic_law is not "
          "\"anisotropic\" and strength_ratio is [1, 1, 1].",
          m.name));
  const double wave_speed = fastest_wave(scene);
  for (const auto& collider : scene.colliders)
    warn_of_speed(named("collider", collider.name), largest_speed(collider), wave_speed, warnings);
  for (const auto& region : scene.regions)
    warn_of_speed(named("region", region.name), region.velocity.norm(), wave_speed, warnings);
  return warnings;
}

std::vector<std::string> flow_notes(const Scene& scene) {
  std::vector<std::string> notes;
  for (const material::Material& m : scene.materials)
    if (m.is_plastic())
      notes.push_back(fmt::format(
          "material {}: a pulled bar yields at {:.4g} Pa (yield_strain {:.4g}) and flows until it is {:.3g} % longer "
          "for good (plastic_limit {:.4g}){}",
          m.name, material::yield_stress(m), m.yield_strain, 100 * material::elongation_at_limit(m), m.plastic_limit,
          m.initial_plastic_strain.isZero(0) ? "" : "; it has flowed before"));
  return notes;
}

std::vector<std::string> object_warnings(const core::Comm& comm, const Scene& scene, const ObjectParameters& object,
                                         std::span<const Vec3> points) {
  std::vector<std::string> warnings;
  const Eigen::AlignedBox3d box = box_of(comm, points);
  const double reach = 0.5 * box.diagonal().norm();
  warn_of_speed(named("object", object.name), object.velocity.norm() + reach * object.angular_velocity.norm(),
                fastest_wave(scene), warnings);
  const contact::RigidColliders colliders(scene.colliders);
  for (std::size_t b = 0; b < colliders.size(); ++b) {
    const contact::BodyState& body = colliders.states()[b];
    const Depths depths =
        depths_in(comm, contact::placed_shape(colliders.parameters(b), body.position, body.orientation), points);
    const std::string collider = named("collider", colliders.parameters(b).name);
    if (depths.shallowest > 0)
      throw core::BadInput(fmt::format(
          "{} starts wholly inside {}, up to {:.3g} m deep, and contact would throw it out. Move one of them "
          "(object.translation_m, object.lowest_point_m, collider.position_m).",
          named("object", object.name), collider, depths.deepest));
    if (depths.deepest > kOddDepth * box.sizes().minCoeff())
      warnings.push_back(fmt::format("warning: {} starts up to {:.3g} m deep inside {}: contact will throw it out.",
                                     named("object", object.name), depths.deepest, collider));
  }
  return warnings;
}

}  // namespace brisance::sim
