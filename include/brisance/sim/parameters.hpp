/// The parameters of a whole scene. Filled by app; written back beside the results as scene.toml.
#pragma once

#include "brisance/contact/parameters.hpp"
#include "brisance/dynamics/parameters.hpp"
#include "brisance/fracture/parameters.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/material/material.hpp"
#include "brisance/mesh/request.hpp"
#include "brisance/sim/factor_parameters.hpp"
#include "brisance/sim/load_parameters.hpp"
#include "brisance/sim/part_parameters.hpp"
#include "brisance/sim/render_parameters.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::sim {

/// The initial state of an object, beside its rest shape.
enum class ObjectStart : std::uint8_t {
  rest,  ///< in its rest shape, with the scene's velocities
  file,  ///< with the displacements and velocities of its mesh file, turned and scaled with it; the scene's are added
};

/// A breakable object: a mesh, placed in the world, of one material.
struct ObjectParameters {
  std::string name = "object";
  mesh::Request mesh;
  std::string material;  ///< name of an entry of Scene::materials
  // Placement: rotated about the rest mesh's bounding-box centre, then translated, rest shape included (no stress).
  Vec3 rotation_deg = Vec3::Zero();  ///< about x, then y, then z [degrees]
  Vec3 translation = Vec3::Zero();   ///< [m]
  /// If finite, translated along z so that its lowest point lies at this height [m] (after rotation).
  double drop_to_height_m = std::numeric_limits<double>::quiet_NaN();
  Vec3 velocity = Vec3::Zero();          ///< [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< about the centre of mass [rad/s]
  ObjectStart start = ObjectStart::rest;
};

enum class RegionShape : std::uint8_t { box, sphere, half_space, torus, group };
/// A Dirichlet condition on the velocity of nodes whose rest position (after placement) lies inside a shape, or that
/// belong to a group of the objects' files.
struct RegionParameters {
  std::string name = "region";
  RegionShape shape = RegionShape::box;
  std::string group;  ///< group: nodes of the surface of that name, or of the tets if no surface has it
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< box corners [m]
  Vec3 centre = Vec3::Zero();                    ///< sphere and torus; half space: a point on its plane [m]
  double radius_m = 0;                           ///< sphere; centre circle of a torus
  double tube_radius_m = 0;                      ///< torus: largest distance from that circle
  Vec3 normal = Vec3::UnitZ();  ///< half space: inside is where (x − centre)·normal ≤ 0; torus: its axis
  // Motion: clamped if both velocities are zero.
  Vec3 velocity = Vec3::Zero();                              ///< [m/s]
  Vec3 angular_velocity = Vec3::Zero();                      ///< about an axis through `pivot` [rad/s]
  Vec3 pivot = Vec3::Zero();                                 ///< [m]
  std::array<bool, 3> axes{true, true, true};                ///< which components of the velocity are prescribed
  double ramp_s = 0;                                         ///< velocity grows linearly over this time [s]
  double until_s = std::numeric_limits<double>::infinity();  ///< released afterwards [s]
};

enum class Precision : std::uint8_t { single_precision, double_precision };

struct OutputParameters {
  double frame_interval_s = 0;    ///< 0 chooses duration / 25
  double surface_interval_s = 0;  ///< interval of frames of the surface alone; 0: none
  bool surface_only = false;      ///< all frames hold the surface alone
  std::vector<std::string> fields{io::kOptionalFields.begin(), io::kOptionalFields.end()};  ///< optional ones
  Precision precision = Precision::double_precision;  ///< of real numbers in frames
  int compression = 0;                                ///< deflate level of frames, 0 to 9
  bool background = true;                             ///< uncompressed frames are written while the run continues
  double monitor_interval_s = 0;                      ///< 0 chooses frame_interval / 10
  bool energy_ledger = true;                          ///< account for viscous work step by step (a few percent of time)
  bool state_fields = false;                          ///< snapshots carry every field of the run's state
  bool front_fields = false;                          ///< snapshots carry the fields of crack fronts
  double progress_interval_s = 1;                     ///< wall seconds between progress lines
  double checkpoint_interval_s = 0;                   ///< wall seconds between checkpoints; 0: only if a run ends early
  int checkpoints_kept = 2;                           ///< number of newest checkpoints kept
};

struct Scene {
  std::string title;
  std::vector<material::Material> materials;
  std::vector<ObjectParameters> objects;
  std::vector<PartParameters> parts;      ///< where several apply, the last one
  std::vector<FactorParameters> factors;  ///< where several apply, their product
  std::vector<RegionParameters> regions;
  std::vector<contact::ColliderParameters> colliders;
  contact::DeformableParameters contact;  ///< contact of objects with each other and themselves
  std::vector<LoadParameters> loads;
  Vec3 gravity = Vec3(0, 0, -9.81);  ///< [m/s²]
  double duration_s = 0;
  dynamics::Parameters time;
  fracture::Parameters fracture;
  OutputParameters output;
  CameraParameters camera;
  RenderParameters render;
};

/// Whether an integrator supports contact of objects: symplectic Euler and the implicit dynamics do.
[[nodiscard]] inline bool bodies_can_touch(dynamics::Integrator integrator) {
  return integrator == dynamics::Integrator::symplectic_euler || integrator == dynamics::Integrator::implicit_euler ||
         integrator == dynamics::Integrator::hht;
}

/// Whether anything in the scene can break.
[[nodiscard]] inline bool can_break(const Scene& scene) {
  bool any = false;
  for (std::size_t k = 0; k < scene.materials.size(); ++k)
    any = any || fracture::is_breakable(scene.fracture, k, scene.materials[k]);
  return scene.fracture.enabled && any;
}

/// Whether objects have contact with each other and themselves. Automatic: yes for several objects, if the integrator
/// supports it, and for pieces in explicit steps; implicit steps have to solve for it (docs/CONTACT.md, "Deformable
/// bodies").
[[nodiscard]] inline bool bodies_touch(const Scene& scene) {
  if (scene.contact.enabled != contact::ContactSwitch::automatic)
    return scene.contact.enabled == contact::ContactSwitch::on;
  const bool pieces = scene.time.integrator == dynamics::Integrator::symplectic_euler && can_break(scene);
  return pieces || (scene.objects.size() > 1 && bodies_can_touch(scene.time.integrator));
}

/// The contact criterion. Automatic: overlaps in implicit steps, as forces of points on facets jump when a point slides
/// to another facet, which would keep the solver from converging.
[[nodiscard]] inline contact::ContactCriterion contact_criterion(const Scene& scene) {
  if (scene.contact.criterion != contact::ContactCriterion::automatic) return scene.contact.criterion;
  return dynamics::is_implicit(scene.time.integrator) ? contact::ContactCriterion::overlap_volume
                                                      : contact::ContactCriterion::surface;
}

/// Whether contact is between points and facets, or by overlaps of tets.
[[nodiscard]] inline bool surfaces_touch(const Scene& scene) {
  return bodies_touch(scene) && contact_criterion(scene) == contact::ContactCriterion::surface;
}
[[nodiscard]] inline bool tets_touch(const Scene& scene) { return bodies_touch(scene) && !surfaces_touch(scene); }

/// Whether small pieces leave the mesh as particles, which needs explicit steps.
[[nodiscard]] inline bool dust_flies(const Scene& scene) {
  return scene.fracture.dust != fracture::Dust::tets && !dynamics::is_implicit(scene.time.integrator);
}

/// Whether the scene requests particles explicitly. With the defaults alone, tets stay if a part is small from the
/// start.
[[nodiscard]] inline bool asks_for_dust(const Scene& scene) {
  return scene.fracture.dust == fracture::Dust::particles ||
         (dust_flies(scene) && scene.fracture.dust_max_tets != fracture::Parameters{}.dust_max_tets);
}

/// How often each tet is divided into eight after the mesh is distributed, the same for all objects.
[[nodiscard]] inline int refinements(const Scene& scene) {
  return scene.objects.empty() ? 0 : scene.objects.front().mesh.refine;
}

}  // namespace brisance::sim
