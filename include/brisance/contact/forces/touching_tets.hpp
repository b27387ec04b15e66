/// Tets that others overlap: the sum of the overlaps of each, and its contact pressure.
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

/// Contact pressure p = κ q for the share q of a tet's volume at rest that others occupy beyond its contact offset.
struct Pressing {
  double pressed = 0;    ///< q, not negative [–]
  double stiffness = 0;  ///< κ [Pa]

  [[nodiscard]] double pressure() const { return stiffness * pressed; }                        ///< [Pa]
  [[nodiscard]] double energy_density() const { return 0.5 * stiffness * pressed * pressed; }  ///< per V₀ [J/m³]
};

struct TouchingTet {
  std::int32_t tet;            ///< place in the list of tets
  std::int32_t num_pairs = 0;  ///< number of listed pairs that contain it
  double overlap = 0;          ///< S, sum of the overlaps of pairs that count for it [m³]
  double deepest = 0;          ///< the largest overlap of any of its pairs over the smaller tet's volume [–]
  double stiffness_bound = std::numeric_limits<double>::infinity();  ///< largest κ that is stable in the step [Pa]
  Pressing pressing{};
};

/// The tets of the pairs found last. All pairs of a held tet are known on this rank; data of a ghost tet beyond its
/// pairs here comes from its home rank (ContactTet::home).
class TouchingTets {
public:
  /// Sums over pairs in their order; all pressures are zero. Local.
  void assign(std::span<const ContactTet> tets, std::span<const PairOverlap> pairs);
  /// After the law was evaluated for held tets: gives ghost tets the values of their home rank. Collective.
  void exchange(const core::Comm& comm, const ContactTets& tets);

  /// Tets in the order in which they first occur in the pairs.
  [[nodiscard]] std::span<TouchingTet> list() { return list_; }
  [[nodiscard]] std::span<const TouchingTet> list() const { return list_; }
  /// Entry of a tet of a pair, by its place in the list of tets.
  [[nodiscard]] const TouchingTet& of(std::int32_t tet) const { return list_[row_of(tet)]; }
  [[nodiscard]] TouchingTet& of(std::int32_t tet) { return list_[row_of(tet)]; }
  /// Energy of the tets whose home rank is this one [J]. Local.
  [[nodiscard]] core::ExactSum stored(std::span<const ContactTet> tets) const;
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  [[nodiscard]] std::size_t row_of(std::int32_t tet) const {
    return static_cast<std::size_t>(row_[static_cast<std::size_t>(tet)]);
  }
  std::vector<TouchingTet> list_;
  std::vector<std::int32_t> row_;  ///< row in list_, by tet; −1: none
};

}  // namespace brisance::contact
