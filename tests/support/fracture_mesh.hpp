/// Options for a mesh that cracks by itself, without a simulation around it.
#pragma once

#include "brisance/dist/distribute.hpp"
#include "brisance/dynamics/critical_step.hpp"
#include "brisance/dynamics/plastic_state.hpp"
#include "brisance/fracture/fields.hpp"

namespace brisance::test {

/// Fields of dist, fracture and dynamics.
inline dist::DistributeOptions with_fracture_fields() {
  dist::DistributeOptions options;
  options.fields.add(fracture::fields()).add(dynamics::kAddedStiffness).add(dynamics::kPlasticState);
  return options;
}

/// Brittle and undamped.
inline material::Material stone() {
  material::Material m;
  m.density = 2000;
  m.lame_lambda = m.lame_mu = 1e6;
  m.toughness = 1;
  return m;
}

}  // namespace brisance::test
