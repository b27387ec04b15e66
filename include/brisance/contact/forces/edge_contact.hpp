/// Contact of rigid bodies with the points where cracks cut edges of elements that stay whole: the sharp edges and
/// corners of pieces, which are no nodes.
#pragma once

#include "brisance/contact/edge_points.hpp"
#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/contact/surface/contact_sums.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/mesh.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// Values of a step.
struct EdgeStep {
  double dt_s, last_dt_s;                  ///< of this step, and of the one that led to the present positions [s]
  Vec3 gravity;                            ///< [m/s²]
  std::span<const double> wave_frequency;  ///< by slot of owned nodes (ContactNodes)
};

/// The law of nodes (RigidColliders::add_forces) for points x = (1 − t) x_a + t x_b: the force goes to both nodes by
/// these weights, so that both momenta are exact. The mass of a point is the least of m/Σw of its nodes, with the sum
/// over all points at the node, and so no stiffer in sum than the node alone. A point that a cut makes inside a body
/// has its depth as contact offset, except for what its motion in the last step explains.
///
/// Forces are constant over a coarse step. Their work on nodes is that of contact between bodies (ContactLoad).
class EdgeContact {
public:
  /// To be called on all ranks when cuts have changed the mesh, or nodes their owners.
  void forget() { is_stale_ = true; }

  /// Finds the forces of a step, and pushes free bodies (RigidColliders::push): between add_forces and advance.
  /// Collective.
  void find_for_step(dist::Mesh& mesh, RigidColliders& colliders, const EdgeStep& step);
  /// On owned nodes, by ascending slot.
  [[nodiscard]] std::span<const ContactForce> forces() const { return forces_; }
  [[nodiscard]] std::size_t num_contacts() const { return contacts_.size(); }

  /// Work in the step, after RigidColliders::advance; this rank's share [J].
  struct Work {
    core::ExactSum on_bodies;  ///< of the reactions
    core::ExactSum supplied;   ///< by what keeps bodies on their paths
  };
  [[nodiscard]] Work work(const RigidColliders& colliders, double dt_s) const;

  /// Σ ½ k (depth − offset)² at the present positions, this rank's share [J]. Collective.
  [[nodiscard]] core::ExactSum stored(const dist::Mesh& mesh, const RigidColliders& colliders, const EdgeStep& step);

private:
  struct Point {
    std::int32_t slot, other_slot;
    std::int64_t id, other;
    double weight, other_weight;
    double mass;  ///< [kg]
  };
  struct Touch {
    std::int32_t point;
    std::size_t body;
    Vec3 at, normal;
    double depth_m;  ///< without the offset
  };
  struct Contact {
    std::size_t body;
    Vec3 force;          ///< on the point [N]
    Vec3 arm;            ///< from the body's centre [m]
    Vec3 body_velocity;  ///< before the step [m/s]
  };
  /// Part of a contact's force, for one of its nodes.
  struct Part {
    std::int32_t slot;
    std::int64_t id, other;
    std::array<double, 3> force;
  };
  void bring_up_to_date(const dist::Mesh& mesh);
  void share_masses(const dist::Mesh& mesh);
  [[nodiscard]] Vec3 position(const dist::Mesh& mesh, const Point& point) const;
  [[nodiscard]] Vec3 velocity(const dist::Mesh& mesh, const Point& point) const;
  /// Bodies in which the point is, in their order. Replaces `touches`.
  void find_touches(const dist::Mesh& mesh, const RigidColliders& colliders, std::int32_t point,
                    std::vector<Touch>& touches) const;
  /// Contact offset in the deepest of these bodies [m].
  [[nodiscard]] double offset(const dist::Mesh& mesh, const RigidColliders& colliders, const Point& point,
                              std::span<const Touch> touches, double last_dt_s) const;
  void forget_old_states(dist::Mesh& mesh);
  void press(const dist::Mesh& mesh, RigidColliders& colliders, const EdgeStep& step, const Touch& touch,
             double offset_m);
  void add_up(const dist::Mesh& mesh);

  bool is_stale_ = true, has_old_states_ = false;
  std::vector<Point> points_;  ///< by ascending slot, then id of the other node
  std::vector<Contact> contacts_;
  std::vector<Part> parts_;
  std::vector<ContactForce> forces_;
};

}  // namespace brisance::contact
