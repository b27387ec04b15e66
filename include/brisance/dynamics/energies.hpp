/// Elastic energy and plastic work of the elements, for the energy ledger.
#pragma once

#include "brisance/core/exact_sum.hpp"
#include "brisance/dynamics/internal_forces.hpp"

#include <cstdint>
#include <span>

namespace brisance::dynamics {

/// Exact sums over elements: the same on any number of ranks once reduced, whatever the order.
struct ElementEnergies {
  core::ExactSum elastic;       ///< Σ vol (σ^ε : ε^e)/8 [J]
  core::ExactSum plastic_work;  ///< Σ vol · dissipated: plastic work so far [J]
};

/// Energies of `counted` elements (slots; on several ranks those with their home rank here, so that each counts once).
/// Local; reduce the sums afterwards. Does not throw.
[[nodiscard]] ElementEnergies element_energies(const ElementSpans& elements,
                                               std::span<const material::Material> materials,
                                               std::span<const dist::NodeMotion> nodes,
                                               std::span<const std::int32_t> counted);

}  // namespace brisance::dynamics
