/// How long a step may be: a bound that holds for every mesh, from each element's rest shape and material
/// (frequency_bound and stable_step of elements/law.inl).
#pragma once

#include "brisance/dist/element_block.hpp"
#include "brisance/dynamics/internal_forces.hpp"
#include "brisance/material/material.hpp"

#include <cstdint>
#include <limits>
#include <span>

namespace brisance::dynamics {

struct CriticalStep {
  double step_s = std::numeric_limits<double>::infinity();
  std::int32_t slot = -1;  ///< the element that limits it (lowest slot of equals); −1 where there is no element
  double max_strain = 0;   ///< largest ‖ε‖ met; 0 where the strain was not looked at
};

/// Shortest stable step of all held elements at rest. Local: the global minimum is the caller's. Does not throw.
[[nodiscard]] CriticalStep critical_step(const ElementSpans& elements, std::span<const material::Material> materials);

/// The same with each element's step divided by 1 + 1.5‖ε‖ at its current strain, which covers the stiffening of a
/// stretched element and the stiffness its stress adds. `strain`: where not empty, ‖ε‖ of each slot is left there.
[[nodiscard]] CriticalStep critical_step(const ElementSpans& elements, std::span<const material::Material> materials,
                                         std::span<const dist::NodeMotion> nodes, std::span<float> strain = {});

/// The same of chosen elements alone (slots, ascending); `strain` has an entry for every slot, and theirs are written.
[[nodiscard]] CriticalStep critical_step_of(const ElementSpans& elements, std::span<const material::Material> materials,
                                            std::span<const dist::NodeMotion> nodes,
                                            std::span<const std::int32_t> chosen, std::span<float> strain);

}  // namespace brisance::dynamics
