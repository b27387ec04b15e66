/// Where other ranks have elements, so that facets are copied only to ranks whose points may come near.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/dist/mesh.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace brisance::contact {

/// Cells of a lattice that elements of other ranks met at the last exchange, with all cells around them. They suffice
/// until nodes have moved relative to each other by `allowance`.
class RankCells {
public:
  RankCells() = default;
  /// @param usual_reach_m  no result depends on it: smaller cells copy fewer facets, queries far beyond it are slow [m]
  RankCells(double allowance_m, double usual_reach_m);

  /// Exchanges the cells at the present positions of elements. Collective.
  /// @param num_slots  room for node slots, those of later cuts included
  void exchange(const dist::Mesh& mesh, std::size_t num_slots);
  /// Takes in cuts that touched or removed these owned nodes. Local.
  void take_in_cuts(const dist::Mesh& mesh, std::span<const std::int32_t> touched);

  /// Displacements of this rank's nodes along and against each axis since the exchange, the largest; −∞ without nodes
  /// [m].
  using Displacements = std::array<double, 6>;
  [[nodiscard]] Displacements largest_displacements(const dist::Mesh& mesh) const;
  /// Moves the lattice with the nodes of all ranks. False if these have moved relative to each other by more than the
  /// allowance: an exchange is due. Local.
  [[nodiscard]] bool follow(const Displacements& of_all_ranks);

  /// True before an exchange, and where no other rank has elements near those of this one.
  [[nodiscard]] bool is_empty() const { return ranks_.empty(); }
  /// Finds ranks whose elements may come within `reach_m` of what is in the box now, before the next exchange;
  /// ascending. Replaces `ranks`.
  void find_near(const Vec3& low, const Vec3& high, double reach_m, std::vector<int>& ranks) const;
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  using Cell = std::array<std::int64_t, 3>;
  [[nodiscard]] Cell cell_of(const Vec3& place) const;
  [[nodiscard]] std::vector<std::uint64_t> own_cells(const dist::Mesh& mesh) const;

  double allowance_m_ = 0, cell_m_ = 1;
  Vec3 translation_ = Vec3::Zero();                            ///< middle of all displacements since the exchange [m]
  std::unordered_map<std::uint64_t, std::vector<int>> ranks_;  ///< by cell
  std::vector<Vec3> place_at_exchange_;                        ///< by owned node; on one rank empty [m]
};

}  // namespace brisance::contact
