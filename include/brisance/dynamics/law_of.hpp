/// A material's constants as the formulas of elements/law.inl want them.
#pragma once

#include "brisance/elements/law.hpp"
#include "brisance/material/material.hpp"

namespace brisance::dynamics {

[[nodiscard]] inline elements::Law law_of(const material::Material& m) {
  return {m.lame_lambda,
          2 * m.lame_mu,
          m.damping_phi,
          2 * m.damping_psi,
          m.yield_strain,
          m.plastic_limit,
          material::is_neo_hookean(m) ? 1.0 : 0.0};
}

}  // namespace brisance::dynamics
