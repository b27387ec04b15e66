/// How long a step may be: a bound that holds for every mesh, from the elements' rest shapes, materials and strains
/// (elements/law.inl). It takes two passes over the elements, since neighbours share the masses of their nodes: the
/// stiffer an element, the more of them it is given. A sliver among sound tets then costs little; alone, it is as fast
/// as it is.
#pragma once

#include "brisance/dist/element_block.hpp"
#include "brisance/dist/fields.hpp"
#include "brisance/dynamics/internal_forces.hpp"
#include "brisance/material/material.hpp"

#include <cstdint>
#include <limits>
#include <span>

namespace brisance::dynamics {

/// W_n/m_n: stiffnesses of the elements around the node, added up, over its mass, as of the last evaluation at their
/// strains. It sets the steps of all of them, so ghosts have their owner's.
inline constexpr dist::NodeFieldDeclaration<double> kAddedStiffness{
    .name = "burden", .unit = "1/s2", .birth = dist::AtBirth::larger, .ghosts = dist::Ghosts::refreshed};

/// What the first pass finds of each element slot, for the second.
struct Strains {
  std::span<float> norm;        ///< ‖ε‖
  std::span<float> stiffening;  ///< what strain_factor takes for it: ‖ε‖, or neo_hookean_stiffening. May be the same
                                ///< entries as `norm` where no material is neo-Hookean.
};

/// The first pass: `strains` of each element slot, and W_n, the stiffness bounds of its elements held here added up in
/// ascending slot order, of each node slot [N/m]. Local; does not throw.
void strains_and_stiffness(const ElementSpans& elements, std::span<const material::Material> materials,
                           std::span<const dist::NodeMotion> nodes, const Strains& strains,
                           std::span<double> stiffness);

/// The same of chosen elements alone (slots, ascending): theirs and their corners' entries are written. A node whose
/// whole star is among `chosen` has the bits of strains_and_stiffness.
void strains_and_stiffness_of(const ElementSpans& elements, std::span<const material::Material> materials,
                              std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                              const Strains& strains, std::span<double> stiffness);

struct CriticalStep {
  double step_s = std::numeric_limits<double>::infinity();
  std::int32_t slot = -1;  ///< the element that limits it (lowest slot of equals); −1 where there is no element
  double max_strain = 0;   ///< largest ‖ε‖ met
};

/// The second pass: the shortest stable step of all held elements. `added stiffness over mass`: kAddedStiffness of
/// every node slot, ghosts included; `steps`: each slot's own is left there [s]. Local: the global minimum is the
/// caller's. Does not throw.
[[nodiscard]] CriticalStep critical_step(const ElementSpans& elements, std::span<const material::Material> materials,
                                         const Strains& strains, std::span<const double> added_stiffness,
                                         std::span<double> steps);

/// The same of chosen elements alone (slots, ascending).
[[nodiscard]] CriticalStep critical_step_of(const ElementSpans& elements, std::span<const material::Material> materials,
                                            std::span<const std::int32_t> chosen, const Strains& strains,
                                            std::span<const double> added_stiffness, std::span<double> steps);

}  // namespace brisance::dynamics
