/// Rigid bodies that a breakable object meets, and how contact with them is modelled. Filled by app from [[collider]].
#pragma once

#include "brisance/core/types.hpp"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace brisance::contact {

class RigidMesh;

/// A mesh that the copies of a collider's parameters share; equal where vertices and triangles are.
struct SharedMesh {
  std::shared_ptr<const RigidMesh> mesh;
  [[nodiscard]] bool operator==(const SharedMesh& other) const;
};

enum class ColliderShape : std::uint8_t { plane, sphere, box, mesh };
enum class ColliderMotion : std::uint8_t {
  fixed,
  path,  ///< follows key frames, whatever pushes against it
  free,  ///< moves under gravity and contact forces with its mass and inertia
};

/// Pose of a prescribed path at a time; between key frames linear in position. Orientations turn the shorter way
/// (spherical-linear), unless both frames have angles: then as the angles do, each linearly, and so by half a turn and
/// more, too.
struct KeyFrame {
  double time_s = 0;
  Vec3 position = Vec3::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  std::optional<Vec3> angles_deg = std::nullopt;  ///< about x, then y, then z; `orientation` is turned_about of them
  bool operator==(const KeyFrame&) const = default;
};

/// Orientation after rotations about x, then y, then z, axes of the world [°].
[[nodiscard]] Eigen::Quaterniond turned_about(const Vec3& angles_deg);

struct ColliderParameters {
  std::string name;
  ColliderShape shape = ColliderShape::plane;
  ColliderMotion motion = ColliderMotion::fixed;
  Vec3 position = Vec3::Zero();  ///< centre; of a plane, a point on it; of a mesh, where its file's origin is [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Vec3 normal = Vec3::UnitZ();  ///< plane: outward normal (material is on its positive side)
  double radius_m = 0;          ///< sphere
  Vec3 size = Vec3::Zero();     ///< box: full edge lengths [m]
  std::filesystem::path file;   ///< mesh: a closed surface; who fills `mesh` from it is above this module
  double scale = 1;             ///< mesh: of the file's lengths
  SharedMesh mesh;              ///< mesh: the file's surface, scaled
  // free bodies
  double mass_kg = 0;                    ///< inertia follows from shape and mass (solid, uniform)
  double density_kg_m3 = 0;              ///< gives the mass where `mass_kg` is 0
  Vec3 velocity = Vec3::Zero();          ///< [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< [rad/s]
  std::vector<KeyFrame> path;
  // contact law
  double stiffness_scale = 1;  ///< multiplies the chosen penalty stiffness m_n (c_p/h₀)² of each node
  /// Penalty stiffness per node [N/m]; 0 chooses m_n (c_p/h₀)² from material and mesh, safe for tiny nodes.
  double stiffness_n_per_m = 0;
  double damping_ratio = 0.1;  ///< of the contact spring, no adhesion (VALIDATION E1)
  double friction = 0.3;       ///< Coulomb coefficient
  bool operator==(const ColliderParameters&) const = default;
};

/// Of deformable bodies among themselves. Filled by app from [contact].
enum class ContactSwitch : std::uint8_t { automatic, on, off };
/// What says that two tets press on each other, and how hard.
enum class ContactCriterion : std::uint8_t {
  automatic,         ///< surface in explicit steps, overlap_volume in implicit ones
  overlap_volume,    ///< the volume that they share
  node_penetration,  ///< nodes of one inside the other, by their depth
  surface,           ///< boundary nodes behind boundary facets, by their depth
};
struct DeformableParameters {
  ContactSwitch enabled = ContactSwitch::automatic;  ///< automatic: where there are two objects
  bool self = true;                                  ///< an object with itself, so pieces of it with each other
  ContactCriterion criterion = ContactCriterion::automatic;
  double stiffness_scale = 1;  ///< κ as a multiple of the material's λ + 2μ [–]
  double restitution = 0.6;    ///< of two bodies' normal velocities in a blow [–]
  double friction = 0.3;       ///< Coulomb coefficient
  double search_share = 0.02;  ///< of an edge: what a point moves before it looks for its nearest facet again [–]
  bool operator==(const DeformableParameters&) const = default;
};

}  // namespace brisance::contact
