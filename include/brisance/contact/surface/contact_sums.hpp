/// Sums the forces of points in contact by node, in the same order on any number of ranks.
#pragma once

#include "brisance/contact/surface/contact_surface.hpp"
#include "brisance/core/types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// Contact force on an owned node in a step.
struct ContactForce {
  std::int32_t slot;
  Vec3 force;  ///< [N]
};

class ContactSums {
public:
  /// Force of one point on a node; at most one for each pair.
  struct Contribution {
    std::int32_t slot;   ///< node of contact
    std::int64_t point;  ///< global id of the point: sums run in this order
    std::array<double, 3> force;
    double mass;              ///< PointContact::full_mass times the node's weight [kg]
    std::int64_t other = -1;  ///< ContactPoint::other
  };
  void clear() { contributions_.clear(); }
  void add(const Contribution& contribution) { contributions_.push_back(contribution); }

  /// Sends contributions to the owners of their nodes, and sums them: forces() and the field kContactCrowding.
  /// Collective.
  void add_up(const ContactSurface& surface, dist::Mesh& mesh);

  /// On owned nodes, by ascending slot.
  [[nodiscard]] std::span<const ContactForce> forces() const { return forces_; }
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  void send(const ContactSurface& surface, const core::Comm& comm);

  std::vector<Contribution> contributions_;
  std::vector<std::uint32_t> first_of_slot_;  ///< scratch of add_up
  std::vector<ContactForce> forces_;
};

}  // namespace brisance::contact
