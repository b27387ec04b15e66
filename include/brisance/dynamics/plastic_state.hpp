/// Plastic state of the elements, if some material flows.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/dist/fields.hpp"

#include <cstdint>
#include <span>

namespace brisance::dynamics {

/// Plastic state of eight elements, one per lane.
struct alignas(64) PlasticBlock {
  double strain[6][dist::kBatch];   ///< ε^p: xx yy zz xy yz zx, unhalved (FᵀF − I) [–]
  double dissipated[dist::kBatch];  ///< plastic work so far, per unit rest volume [J/m³]
};

/// Field of runs in which some material flows.
inline constexpr dist::ElementLanesDeclaration<PlasticBlock> kPlasticState{.name = "plastic_state", .unit = "-, J/m3"};

/// ε^p of one element; zero where nothing flows.
[[nodiscard]] inline SymMat3 plastic_strain(std::span<const PlasticBlock> blocks, LocalElement e) {
  SymMat3 strain = SymMat3::Zero();
  if (!blocks.empty())
    for (int k = 0; k < 6; ++k) strain[k] = blocks[e.value / dist::kBatch].strain[k][e.value % dist::kBatch];
  return strain;
}

inline void set_plastic_strain(std::span<PlasticBlock> blocks, LocalElement e, const SymMat3& strain) {
  for (int k = 0; k < 6; ++k) blocks[e.value / dist::kBatch].strain[k][e.value % dist::kBatch] = strain[k];
}

}  // namespace brisance::dynamics
