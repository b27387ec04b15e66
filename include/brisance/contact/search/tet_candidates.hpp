/// Pairs of tets that may overlap soon: a Verlet list.
#pragma once

#include "brisance/contact/search/contact_tets.hpp"
#include "brisance/core/comm.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace brisance::contact {

struct CandidatePair {
  std::int32_t low, high;  ///< places in the list of tets, in ascending ids
};

/// All pairs with at least one held tet whose bounding boxes were at most the skin apart when the list was built,
/// except tets with a common node and, where a body does not touch itself, tets of one body. The list is valid until
/// nodes have moved relative to each other by the skin. Overlaps follow from positions alone: no result depends on the
/// skin, nor on when the list was built.
class TetCandidates {
public:
  TetCandidates() = default;
  /// Local.
  /// @param position  by node number [m]
  /// @param self      whether tets of one body may touch each other
  TetCandidates(std::span<const ContactTet> tets, std::span<const Vec3> position, double skin_m, bool self);

  /// Whether nodes may have moved relative to each other by more than the skin, on any rank; a common translation does
  /// not count. Collective.
  [[nodiscard]] bool is_outdated(const core::Comm& comm, std::span<const Vec3> position) const;
  /// Ascending (low, high).
  [[nodiscard]] std::span<const CandidatePair> pairs() const { return pairs_; }
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  double skin_m_ = 0;
  std::vector<CandidatePair> pairs_;
  std::vector<std::pair<std::int32_t, Vec3>> built_at_;  ///< node numbers and positions when the list was built [m]
};

}  // namespace brisance::contact
