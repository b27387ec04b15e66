/// Tets that others lie in: how much of each, and how hard it presses for that.
#pragma once

#include "brisance/contact/forces/pair_overlap.hpp"
#include "brisance/contact/search/contact_tets.hpp"
#include "brisance/core/comm.hpp"
#include "brisance/core/exact_sum.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace brisance::contact {

/// A pressure p = κ q for the share q of a tet's volume at rest that others occupy, beyond its contact offset.
struct Pressing {
  double pressed = 0;    ///< q, not negative [–]
  double stiffness = 0;  ///< κ [Pa]

  [[nodiscard]] double pressure() const { return stiffness * pressed; }                        ///< [Pa]
  [[nodiscard]] double energy_density() const { return 0.5 * stiffness * pressed * pressed; }  ///< by V₀ [J/m³]
};

struct TouchingTet {
  std::int32_t tet;            ///< place in the list of tets
  std::int32_t num_pairs = 0;  ///< entries of the list of pairs that it is in
  double overlap = 0;          ///< S, all that the pairs that count for it add up to [m³]
  double deepest = 0;          ///< the largest share of the smaller tet's volume in any of its pairs [–]
  double stiffness_bound = std::numeric_limits<double>::infinity();  ///< κ that the step bears [Pa]
  Pressing pressing{};
};

/// The tets of the pairs found last. Of held tets all pairs are known here; what is known of a ghost tet beyond its
/// pairs here is told by its home.
class TouchingTets {
public:
  /// Sums over pairs in their order; nothing presses yet. Local.
  void assign(std::span<const ContactTet> tets, std::span<const PairOverlap> pairs);
  /// The law has been asked for held tets: ghost tets have their home's answers from then on. Collective.
  void exchange(const core::Comm& comm, const ContactTets& tets);

  /// In the order in which pairs name them first.
  [[nodiscard]] std::span<TouchingTet> list() { return list_; }
  [[nodiscard]] std::span<const TouchingTet> list() const { return list_; }
  /// Of a tet of a pair, by its place in the list of tets.
  [[nodiscard]] const TouchingTet& of(std::int32_t tet) const { return list_[row_of(tet)]; }
  [[nodiscard]] TouchingTet& of(std::int32_t tet) { return list_[row_of(tet)]; }
  /// Energy of the tets whose home is here [J]. Local.
  [[nodiscard]] core::ExactSum stored(std::span<const ContactTet> tets) const;
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  [[nodiscard]] std::size_t row_of(std::int32_t tet) const {
    return static_cast<std::size_t>(row_[static_cast<std::size_t>(tet)]);
  }
  std::vector<TouchingTet> list_;
  std::vector<std::int32_t> row_;  ///< of list_, by tet; −1
};

}  // namespace brisance::contact
