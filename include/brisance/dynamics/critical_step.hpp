/// Bound of the stable step, valid for every mesh, from the elements' rest shapes, materials and strains
/// (elements/law.inl). It takes two passes over the elements, since neighbours share the masses of their nodes: the
/// stiffer an element, the larger its share. A sliver among well-shaped tets then costs little; on its own it needs its
/// own short step.
#pragma once

#include "brisance/dist/element_block.hpp"
#include "brisance/dist/fields.hpp"
#include "brisance/dynamics/internal_forces.hpp"
#include "brisance/material/material.hpp"

#include <cstdint>
#include <limits>
#include <span>

namespace brisance::dynamics {

/// W_n/m_n: sum of the stiffnesses of the elements around the node, over its mass, at the last evaluation of their
/// strains. It sets the steps of all of them, so ghosts have their owner's value.
inline constexpr dist::NodeFieldDeclaration<double> kAddedStiffness{
    .name = "added_stiffness", .unit = "1/s2", .birth = dist::AtBirth::larger, .ghosts = dist::Ghosts::refreshed};

/// Results of the first pass for each element slot, for the second.
struct Strains {
  std::span<float> norm;        ///< ‖ε‖
  std::span<float> stiffening;  ///< argument of strain_factor: ‖ε‖, or neo_hookean_stiffening. May be the same
                                ///< entries as `norm` if no material is neo-Hookean
};

/// The first pass: `strains` of each element slot, and W_n of each node slot, the sum of the stiffness bounds of its
/// elements held here in ascending slot order [N/m]. Local; does not throw.
void strains_and_stiffness(const ElementSpans& elements, std::span<const material::Material> materials,
                           std::span<const dist::NodeMotion> nodes, const Strains& strains,
                           std::span<double> stiffness);

/// The same for chosen elements alone (slots, ascending): their entries and those of their corners are written. A node
/// whose whole star is among `chosen` has the bits of strains_and_stiffness.
void strains_and_stiffness_of(const ElementSpans& elements, std::span<const material::Material> materials,
                              std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                              const Strains& strains, std::span<double> stiffness);

struct CriticalStep {
  double step_s = std::numeric_limits<double>::infinity();
  std::int32_t slot = -1;  ///< the element that limits it (lowest slot of equals); −1: there is no element
  double max_strain = 0;   ///< largest ‖ε‖
};

/// The second pass: the shortest stable step of all held elements. `added_stiffness`: kAddedStiffness of every node
/// slot, ghosts included; `steps`: receives each slot's own step [s]. Local: the caller takes the global minimum. Does
/// not throw.
[[nodiscard]] CriticalStep critical_step(const ElementSpans& elements, std::span<const material::Material> materials,
                                         const Strains& strains, std::span<const double> added_stiffness,
                                         std::span<double> steps);

/// The same for chosen elements alone (slots, ascending).
[[nodiscard]] CriticalStep critical_step_of(const ElementSpans& elements, std::span<const material::Material> materials,
                                            std::span<const std::int32_t> chosen, const Strains& strains,
                                            std::span<const double> added_stiffness, std::span<double> steps);

}  // namespace brisance::dynamics
