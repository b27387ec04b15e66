/// A whole scene as numbers: what the time loop is given. Filled by app; written back beside the results as scene.toml.
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

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::sim {

/// What an object has at the start besides its rest shape.
enum class ObjectStart : std::uint8_t {
  rest,  ///< nothing: it is in its rest shape, and moves as the scene says
  file,  ///< the displacements and velocities of its mesh file, turned and scaled with it; the scene's velocities add
};

/// A breakable object: a mesh, placed in the world, of one material.
struct ObjectParameters {
  std::string name = "object";
  mesh::Request mesh;
  std::string material;  ///< name of an entry of Scene::materials
  // placement: rotate about the rest mesh's bounding-box centre, then translate; rest shape follows (no stress)
  Vec3 rotation_deg = Vec3::Zero();  ///< about x, then y, then z [degrees]
  Vec3 translation = Vec3::Zero();   ///< [m]
  /// If finite, translated along z so that its lowest point lies at this height [m] (after rotation).
  double drop_to_height_m = std::numeric_limits<double>::quiet_NaN();
  Vec3 velocity = Vec3::Zero();          ///< [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< about the centre of mass [rad/s]
  ObjectStart start = ObjectStart::rest;
};

enum class RegionShape : std::uint8_t { box, sphere, half_space, torus, group };
/// Nodes whose rest position (after placement) lies inside, or that belong to a group of the objects' files, are held
/// or moved as told.
struct RegionParameters {
  std::string name = "region";
  RegionShape shape = RegionShape::box;
  std::string group;  ///< group: the nodes of the surface of that name, or of the tets where no surface has it
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< box corners [m]
  Vec3 centre = Vec3::Zero();                    ///< sphere and torus; half space: a point on its plane [m]
  double radius_m = 0;                           ///< of a sphere, of the circle in the middle of a torus
  double tube_radius_m = 0;                      ///< torus: inside is what is no further from that circle
  Vec3 normal = Vec3::UnitZ();  ///< half space: inside is where (x − centre)·normal ≤ 0; torus: its axis
  // motion: clamped if both are zero
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
  double surface_interval_s = 0;  ///< between frames of the surface alone; 0: none
  bool surface_only = false;      ///< all frames have the surface alone
  std::vector<std::string> fields{io::kOptionalFields.begin(), io::kOptionalFields.end()};  ///< that frames have
  Precision precision = Precision::double_precision;                                        ///< of the reals in frames
  int compression = 0;               ///< of frames, a level of deflate, 0 to 9
  bool background = true;            ///< frames are written while the run goes on; not where they are compressed
  double monitor_interval_s = 0;     ///< 0 chooses frame_interval / 10
  bool energy_ledger = true;         ///< account for viscous work step by step (a few percent of time)
  bool state_fields = false;         ///< snapshots carry every field of the run's state
  bool front_fields = false;         ///< or at least those of crack fronts
  double progress_interval_s = 1;    ///< wall seconds between progress lines
  double checkpoint_interval_s = 0;  ///< wall seconds between checkpoints; 0: only where a run ends early
  int checkpoints_kept = 2;          ///< the newest
};

/// What the renderer and the preview use; the solver only carries it along.
struct CameraParameters {
  bool automatic = true;  ///< frame the whole motion
  Vec3 eye = Vec3::Zero(), target = Vec3::Zero(), up = Vec3::UnitZ();
  double field_of_view_deg = 35;
  int width = 960, height = 720;
};

struct Scene {
  std::string title;
  std::vector<material::Material> materials;
  std::vector<ObjectParameters> objects;
  std::vector<PartParameters> parts;      ///< where several hold, the last one
  std::vector<FactorParameters> factors;  ///< where several hold, their product
  std::vector<RegionParameters> regions;
  std::vector<contact::ColliderParameters> colliders;
  contact::DeformableParameters contact;  ///< of objects among themselves
  std::vector<LoadParameters> loads;
  Vec3 gravity = Vec3(0, 0, -9.81);  ///< [m/s²]
  double duration_s = 0;
  dynamics::Parameters time;
  fracture::Parameters fracture;
  OutputParameters output;
  CameraParameters camera;
};

/// Whether an integrator knows contact of objects: the explicit one that keeps energy, and implicit steps.
[[nodiscard]] inline bool bodies_can_touch(dynamics::Integrator integrator) {
  return integrator == dynamics::Integrator::symplectic_euler || integrator == dynamics::Integrator::implicit_euler ||
         integrator == dynamics::Integrator::hht;
}

/// Whether anything of it can.
[[nodiscard]] inline bool can_break(const Scene& scene) {
  bool any = false;
  for (std::size_t k = 0; k < scene.materials.size(); ++k)
    any = any || fracture::is_breakable(scene.fracture, k, scene.materials[k]);
  return scene.fracture.enabled && any;
}

/// Whether objects press on each other and on themselves: of itself where there are several, or pieces of one in
/// explicit steps: implicit ones solve for them (docs/CONTACT.md, "Deformable bodies").
[[nodiscard]] inline bool bodies_touch(const Scene& scene) {
  if (scene.contact.enabled != contact::ContactSwitch::automatic)
    return scene.contact.enabled == contact::ContactSwitch::on;
  const bool pieces = scene.time.integrator == dynamics::Integrator::symplectic_euler && can_break(scene);
  return pieces || (scene.objects.size() > 1 && bodies_can_touch(scene.time.integrator));
}

/// What says that they do. Forces of points on facets jump as a point goes on to another facet, which the solver of an
/// implicit step cannot have.
[[nodiscard]] inline contact::ContactCriterion contact_criterion(const Scene& scene) {
  if (scene.contact.criterion != contact::ContactCriterion::automatic) return scene.contact.criterion;
  return dynamics::is_implicit(scene.time.integrator) ? contact::ContactCriterion::overlap_volume
                                                      : contact::ContactCriterion::surface;
}

/// Whether they do so as points against facets, or else by overlaps of tets.
[[nodiscard]] inline bool surfaces_touch(const Scene& scene) {
  return bodies_touch(scene) && contact_criterion(scene) == contact::ContactCriterion::surface;
}
[[nodiscard]] inline bool tets_touch(const Scene& scene) { return bodies_touch(scene) && !surfaces_touch(scene); }

/// Whether small pieces leave the mesh as particles, which fly in explicit steps alone.
[[nodiscard]] inline bool dust_flies(const Scene& scene) {
  return scene.fracture.dust != fracture::Dust::tets && !dynamics::is_implicit(scene.time.integrator);
}

/// Whether the scene says so, and not the defaults alone, which keep tets where a part is as small from the start.
[[nodiscard]] inline bool asks_for_dust(const Scene& scene) {
  return scene.fracture.dust == fracture::Dust::particles ||
         (dust_flies(scene) && scene.fracture.dust_max_tets != fracture::Parameters{}.dust_max_tets);
}

/// Times that each tet of the scene is divided into eight once the mesh is spread over the ranks: the same of all
/// objects.
[[nodiscard]] inline int refinements(const Scene& scene) {
  return scene.objects.empty() ? 0 : scene.objects.front().mesh.refine;
}

}  // namespace brisance::sim
