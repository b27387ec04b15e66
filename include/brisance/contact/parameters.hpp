/// Parameters of rigid bodies and of contact, with them and between deformable bodies. Filled by app from [[collider]]
/// and [contact].
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

/// A mesh that copies of a collider's parameters share; equal if vertices and triangles are equal.
struct SharedMesh {
  std::shared_ptr<const RigidMesh> mesh;
  [[nodiscard]] bool operator==(const SharedMesh& other) const;
};

enum class ColliderShape : std::uint8_t { plane, sphere, box, mesh, capsule };
enum class ColliderMotion : std::uint8_t {
  fixed,
  path,  ///< follows key frames, whatever force acts on it
  free,  ///< moves under gravity and contact forces with its mass and inertia
};

/// Pose of a prescribed path at a time. Between key frames the position is linear in time. The orientation turns the
/// shorter way (spherical-linear), unless both frames have angles: then each angle is linear in time, which allows
/// turns by half a turn and more.
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
  double radius_m = 0;          ///< sphere, capsule
  double length_m = 0;          ///< capsule: between the centres of its ends
  Vec3 size = Vec3::Zero();     ///< box: full edge lengths [m]
  std::filesystem::path file;   ///< mesh: file of a closed surface; the caller fills `mesh` from it
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

/// Contact of deformable bodies with each other. Filled by app from [contact].
enum class ContactSwitch : std::uint8_t { automatic, on, off };
/// Measure of how deep two bodies overlap, from which contact forces follow.
enum class ContactCriterion : std::uint8_t {
  automatic,         ///< surface in explicit steps, overlap_volume in implicit ones
  overlap_volume,    ///< common volume of two tets
  node_penetration,  ///< depths of the nodes of one tet inside another
  surface,           ///< depths of boundary nodes behind boundary facets
};
struct DeformableParameters {
  ContactSwitch enabled = ContactSwitch::automatic;  ///< automatic: where there are two objects
  bool self = true;  ///< contact of an object with itself, and so of its pieces with each other
  ContactCriterion criterion = ContactCriterion::automatic;
  double stiffness_scale = 1;  ///< κ as a multiple of the material's λ + 2μ [–]
  double restitution = 0.6;    ///< coefficient of restitution of two bodies' normal velocities [–]
  double friction = 0.3;       ///< Coulomb coefficient
  double search_share = 0.03;  ///< motion of a point before it searches its nearest facet again, over the edge [–]
  bool operator==(const DeformableParameters&) const = default;
};

}  // namespace brisance::contact
