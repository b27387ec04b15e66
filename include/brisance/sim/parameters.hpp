/// The parameters of a whole scene: plain values that app fills from a scene file and writes to scene.toml beside the
/// results. docs/SCENES.md describes the keys. Functions here are local and do not throw.
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

/// The initial displacements and velocities of an object.
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
  std::string group;  ///< group: nodes of the surface with this name, or of tets if no surface has it
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< box: corners [m]
  Vec3 centre = Vec3::Zero();                    ///< sphere, torus: centre; half space: a point on its plane [m]
  double radius_m = 0;                           ///< sphere: radius; torus: radius of its centre circle [m]
  double tube_radius_m = 0;                      ///< torus: largest distance from that circle [m]
  Vec3 normal = Vec3::UnitZ();  ///< half space: outward normal, inside is (x − centre)·normal ≤ 0; torus: axis
  // Prescribed motion; if both velocities are zero the nodes are clamped.
  Vec3 velocity = Vec3::Zero();                              ///< [m/s]
  Vec3 angular_velocity = Vec3::Zero();                      ///< about an axis through `pivot` [rad/s]
  Vec3 pivot = Vec3::Zero();                                 ///< [m]
  std::array<bool, 3> axes{true, true, true};                ///< which components of the velocity are prescribed
  double ramp_s = 0;                                         ///< velocity grows linearly over this time [s]
  double until_s = std::numeric_limits<double>::infinity();  ///< released afterwards [s]
};

enum class Precision : std::uint8_t { single_precision, double_precision };

/// Intervals and form of results.
struct OutputParameters {
  double frame_interval_s = 0;    ///< simulated time between frames [s]; 0: a 25th of the duration
  double surface_interval_s = 0;  ///< simulated time between frames of the surface alone [s]; 0: none
  bool surface_only = false;      ///< all frames hold the surface alone
  std::vector<std::string> fields{io::kOptionalFields.begin(), io::kOptionalFields.end()};  ///< optional fields written
  Precision precision = Precision::double_precision;  ///< of real numbers in frames
  int compression = 0;                                ///< deflate level of frames, 0 to 9
  bool background = true;                             ///< uncompressed frames are written while the run continues
  double monitor_interval_s = 0;                      ///< between rows of monitor.csv [s]; 0: a tenth of frame_interval
  bool energy_ledger = true;                          ///< account for viscous work in each step (a few percent of time)
  bool state_fields = false;                          ///< snapshots carry every field of the run's state
  bool front_fields = false;                          ///< snapshots carry the fields of crack fronts
  double progress_interval_s = 1;                     ///< wall-clock time between progress lines [s]
  double checkpoint_interval_s = 0;  ///< wall-clock time between checkpoints [s]; 0: only if a run ends early
  int checkpoints_kept = 2;          ///< number of newest checkpoints kept
};

/// A whole scene.
struct Scene {
  std::string title;
  std::vector<material::Material> materials;
  std::vector<ObjectParameters> objects;
  std::vector<PartParameters> parts;      ///< parts of objects of another material; where several apply, the last one
  std::vector<FactorParameters> factors;  ///< on strength or stiffness; where several apply, their product
  std::vector<RegionParameters> regions;
  std::vector<contact::ColliderParameters> colliders;
  contact::DeformableParameters contact;  ///< contact of objects with each other and themselves
  std::vector<LoadParameters> loads;
  Vec3 gravity = Vec3(0, 0, -9.81);  ///< [m/s²]
  double duration_s = 0;             ///< simulated time
  dynamics::Parameters time;
  fracture::Parameters fracture;
  OutputParameters output;
  CameraParameters camera;
  RenderParameters render;
};

/// Whether anything in the scene can break.
[[nodiscard]] inline bool can_break(const Scene& scene) {
  bool any = false;
  for (std::size_t k = 0; k < scene.materials.size(); ++k)
    any = any || fracture::is_breakable(scene.fracture, k, scene.materials[k]);
  return scene.fracture.enabled && any;
}

/// Whether deformable objects have contact with each other and themselves (contact.enabled). With `automatic` they do
/// if there are several objects and the integrator supports it, or if something can break in explicit leap-frog steps.
/// Pieces of one object in implicit steps need `on`, as their contact makes each solve dearer (docs/CONTACT.md,
/// "Deformable bodies").
[[nodiscard]] inline bool bodies_touch(const Scene& scene) {
  if (scene.contact.enabled != contact::ContactSwitch::automatic)
    return scene.contact.enabled == contact::ContactSwitch::on;
  const dynamics::IntegratorKind& integrator = dynamics::kind_of(scene.time.integrator);
  const bool pieces = integrator.is_leap_frog && can_break(scene);
  return pieces || (scene.objects.size() > 1 && integrator.bodies_can_touch);
}

/// The contact criterion (contact.criterion). With `automatic` it is `surface`, but overlap_volume in implicit steps:
/// the force on a point jumps when the point slides to another facet, and the solver would not converge.
[[nodiscard]] inline contact::ContactCriterion contact_criterion(const Scene& scene) {
  if (scene.contact.criterion != contact::ContactCriterion::automatic) return scene.contact.criterion;
  return dynamics::is_implicit(scene.time.integrator) ? contact::ContactCriterion::overlap_volume
                                                      : contact::ContactCriterion::surface;
}

/// Whether deformable contact is between points and facets (SurfaceContact), or by overlaps of tets (OverlapContact).
[[nodiscard]] inline bool surfaces_touch(const Scene& scene) {
  return bodies_touch(scene) && contact_criterion(scene) == contact::ContactCriterion::surface;
}
[[nodiscard]] inline bool tets_touch(const Scene& scene) { return bodies_touch(scene) && !surfaces_touch(scene); }

/// Whether small pieces leave the mesh as dust particles, which needs explicit steps.
[[nodiscard]] inline bool dust_flies(const Scene& scene) {
  return scene.fracture.dust != fracture::Dust::tets && !dynamics::is_implicit(scene.time.integrator);
}

/// Whether the scene asks for particles in so many words. Without that, with the defaults, small parts that the mesh
/// has from the start stay tets.
[[nodiscard]] inline bool asks_for_dust(const Scene& scene) {
  return scene.fracture.dust == fracture::Dust::particles ||
         (dust_flies(scene) && scene.fracture.dust_max_tets != fracture::Parameters{}.dust_max_tets);
}

/// How many times each tet is divided into eight after the mesh is distributed (object.mesh.refine).
[[nodiscard]] inline int refinements(const Scene& scene) {
  return scene.objects.empty() ? 0 : scene.objects.front().mesh.refine;
}

}  // namespace brisance::sim
