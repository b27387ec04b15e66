/// Internal forces of all held elements: the loop that takes most of the time of a step without fracture.
#pragma once

#include "brisance/dist/element_block.hpp"
#include "brisance/dynamics/plastic_state.hpp"
#include "brisance/material/material.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

/// All data that the kernels read, as plain spans, independent of the mesh.
struct ElementSpans {
  std::span<const dist::ElementBlock> blocks;
  std::span<const material::Index> material_of;  ///< material index of element 8·block + lane; padding lanes hold 0
  std::span<const PlasticBlock> plastic;         ///< empty: nothing flows
};

/// By-products of the force pass.
struct ForceOptions {
  bool viscous_split = true;  ///< also fill NodeForce::viscous (energy ledger)
  bool separation_bound =
      true;  ///< also fill NodeForce::force[3]: ½ vol √(1+‖ε‖_F) |b_j| max(0, q+2p) summed over the star
  // data for the work of plastic flow
  double since_flow_s = 0;                        ///< time since elements of step class 0 flowed last; 0: unknown [s]
  std::span<const std::uint8_t> step_class = {};  ///< by element slot: class k has 2⁻ᵏ of it; empty: all of class 0
};

/// f_i = Σ_e −(vol/2) F σ ∇b_i  [OH99] (27), with σ = λ tr(ε−ε^p) I + 2μ (ε−ε^p) + s(φ tr(ν) I + 2ψ ν), ε = FᵀF − I,
/// ν = Ḟ ᵀF + FᵀḞ, s = damping_scale.
///
/// A pure function of its input: it may be called any number of times. Every element takes the same vector code;
/// contributions to a node are added one by one in ascending slot order, which the mesh keeps the same on all ranks. So
/// the bits of an owned node's force depend on its star alone, and on the star's order. They do not depend on `options`
/// either. `forces` (one per node slot) is overwritten; the bound is zero if it was not requested. Local; does not
/// throw.
void internal_forces(const ElementSpans& elements, std::span<const material::Material> materials,
                     std::span<const dist::NodeMotion> nodes, std::span<dist::NodeForce> forces,
                     const ForceOptions& options);

/// The same for chosen elements alone: entries of their corners are overwritten, no other is accessed. A node whose
/// whole star is among `chosen` has the bits of internal_forces, others have a part of their force.
/// @param chosen  element slots, ascending
void internal_forces_of(const ElementSpans& elements, std::span<const material::Material> materials,
                        std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                        std::span<dist::NodeForce> forces, const ForceOptions& options);

/// Adds internal_forces to `forces`.
void add_internal_forces(const ElementSpans& elements, std::span<const material::Material> materials,
                         std::span<const dist::NodeMotion> nodes, std::span<dist::NodeForce> forces,
                         const ForceOptions& options);

/// Plastic flow to the given positions, then internal_forces, in one pass over the elements; to be called once in every
/// step of an element. ε^p follows the strain [OBH02] (3)–(5) and the work is added to PlasticBlock::dissipated.
/// @param plastic  mutable view of `elements.plastic`; empty: internal_forces alone
void flow_and_internal_forces(const ElementSpans& elements, std::span<const material::Material> materials,
                              std::span<const dist::NodeMotion> nodes, std::span<PlasticBlock> plastic,
                              std::span<dist::NodeForce> forces, const ForceOptions& options);

/// flow_and_internal_forces, added to `forces`.
void flow_and_add_internal_forces(const ElementSpans& elements, std::span<const material::Material> materials,
                                  std::span<const dist::NodeMotion> nodes, std::span<PlasticBlock> plastic,
                                  std::span<dist::NodeForce> forces, const ForceOptions& options);

using dist::CornerForces;
/// One CornerForces per entry of `chosen` (element slots, any order). Does not change plastic strain. The bits of an
/// element's result do not depend on which other elements were chosen. Local; does not throw.
void corner_forces(const ElementSpans& elements, std::span<const material::Material> materials,
                   std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                   std::span<CornerForces> result);

/// Stress and strain state of chosen elements, for output, energies and step control.
struct ElementState {
  double deformation_gradient[3][3];  ///< F = ∂x/∂u
  double strain[6];                   ///< ε = FᵀF − I, unhalved
  double strain_rate[6];              ///< ν
  double stress[6];                   ///< σ of the papers: twice the physical 2nd Piola–Kirchhoff stress [Pa]
  double elastic_energy;              ///< vol (σ^ε : ε^e) / 8 [J]
  double damping_power;               ///< vol (σ^ν : ν) / 4 = −Σ f^ν·v [W]
  double determinant;                 ///< det F; ≤ 0 means inverted
};
void element_states(const ElementSpans& elements, std::span<const material::Material> materials,
                    std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                    std::span<ElementState> result);

}  // namespace brisance::dynamics
