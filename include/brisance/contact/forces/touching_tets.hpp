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

/// What the pairs found last say of a tet; without pairs all is as here.
struct TouchingTet {
  std::int32_t num_pairs = 0;  ///< number of listed pairs that contain it
  double overlap = 0;          ///< S, sum of the overlaps of pairs that count for it [m³]
  double deepest = 0;          ///< the largest overlap of any of its pairs over the smaller tet's volume [–]
  double stiffness_bound = std::numeric_limits<double>::infinity();  ///< largest κ that is stable in the step [Pa]
  double offset = 0;                                                 ///< contact offset (kOverlapOffset) [–]
  Pressing pressing{};
};

/// Parallel to the tets: sums over pairs in their order; all pressures are zero. All pairs of a held tet are known on
/// this rank. Local.
[[nodiscard]] std::vector<TouchingTet> touching_tets(std::span<const ContactTet> tets,
                                                     std::span<const PairOverlap> pairs);

/// After the law was evaluated for held tets: gives ghost tets in pairs the pressure and the number of pairs that their
/// home rank knows (ContactTet::home). Collective.
void exchange(const core::Comm& comm, const ContactTets& tets, std::span<TouchingTet> touching);

/// Energy of the tets whose home rank is this one [J]. Local.
[[nodiscard]] core::ExactSum stored_energy(std::span<const ContactTet> tets, std::span<const TouchingTet> touching);

}  // namespace brisance::contact
