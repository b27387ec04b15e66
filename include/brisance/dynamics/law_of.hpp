/// A material's constants in the form of elements/law.inl.
#pragma once

#include "brisance/elements/law.hpp"
#include "brisance/material/material.hpp"

#include <algorithm>

namespace brisance::dynamics {

/// For an anisotropic material, λ and 2μ are those of an isotropic one that is at least as stiff in every direction:
/// all bounds of elements/law.inl then hold for it; its stress comes from stiffness_of.
[[nodiscard]] inline elements::Law law_of(const material::Material& m) {
  const bool isotropic = !material::is_anisotropic(m);
  return {isotropic ? m.lame_lambda : m.anisotropy.bound_lambda,
          isotropic ? 2 * m.lame_mu : m.anisotropy.bound_two_mu,
          m.damping_phi,
          2 * m.damping_psi,
          m.yield_strain,
          m.plastic_limit,
          material::is_neo_hookean(m) ? 1.0 : 0.0};
}

/// C of an anisotropic material; zero for others.
[[nodiscard]] inline elements::Stiffness stiffness_of(const material::Material& m) {
  elements::Stiffness c{};
  if (material::is_anisotropic(m)) std::ranges::copy(m.anisotropy.stiffness, c.at);
  return c;
}

}  // namespace brisance::dynamics
