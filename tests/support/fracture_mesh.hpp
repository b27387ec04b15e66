/// Options for a mesh that cracks by itself, without a simulation around it.
#pragma once

#include "brisance/dist/distribute.hpp"
#include "brisance/dynamics/plastic_state.hpp"
#include "brisance/fracture/fields.hpp"

namespace brisance::test {

/// Fields of dist, fracture and plastic flow.
inline dist::DistributeOptions with_fracture_fields() {
  dist::DistributeOptions options;
  options.fields.add(fracture::fields()).add(dynamics::kPlasticState);
  return options;
}

}  // namespace brisance::test
