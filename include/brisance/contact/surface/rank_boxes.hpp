/// Where other ranks have elements, so that facets are copied only to ranks whose points may come near.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/dist/mesh.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// Boxes around the elements of other ranks at the last exchange. They suffice until nodes have moved relative to each
/// other by `allowance`.
class RankBoxes {
public:
  RankBoxes() = default;
  explicit RankBoxes(double allowance_m) : allowance_m_(allowance_m) {}

  /// Exchanges the boxes at the present positions of elements. Collective.
  /// @param num_slots  room for node slots, those of later cuts included
  void exchange(const dist::Mesh& mesh, std::size_t num_slots);
  /// Takes in cuts that touched or removed these owned nodes. Local.
  void take_in_cuts(const dist::Mesh& mesh, std::span<const std::int32_t> touched);

  /// Displacements of this rank's nodes along and against each axis since the exchange, the largest; −∞ without nodes
  /// [m]. Their maximum over all ranks says whether the boxes are outdated.
  using Displacements = std::array<double, 6>;
  [[nodiscard]] Displacements largest_displacements(const dist::Mesh& mesh) const;
  /// Have nodes moved relative to each other by more than the allowance? A common translation does not count.
  [[nodiscard]] bool are_outdated(const Displacements& of_all_ranks) const;

  /// True before an exchange, and on one rank.
  [[nodiscard]] bool is_empty() const { return boxes_.empty(); }
  /// Ranks whose elements may come within `reach_m` of what is in the box now, before the next exchange; ascending.
  [[nodiscard]] std::vector<int> ranks_near(const Vec3& low, const Vec3& high, double reach_m) const;
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  struct RankBox {
    std::int32_t rank;
    std::array<double, 3> low, high;
  };
  double allowance_m_ = 0;
  std::vector<RankBox> boxes_;           ///< rank by rank
  std::vector<Vec3> place_at_exchange_;  ///< by owned node; on one rank empty [m]
};

}  // namespace brisance::contact
