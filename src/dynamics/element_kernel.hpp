/// From node motion to stress, for kLanes elements at once: elements/law.inl on the lanes of a block. Every entry point
/// of this module that needs an element's strain, stress or force calls these functions, so that an element has one set
/// of bits.
#include "brisance/dynamics/plastic_state.hpp"

#include "dynamics/law_lanes.hpp"
#include "dynamics/node_lanes.hpp"

#if defined(BRISANCE_DYNAMICS_ELEMENT_KERNEL) == defined(HWY_TARGET_TOGGLE)
#ifdef BRISANCE_DYNAMICS_ELEMENT_KERNEL
#undef BRISANCE_DYNAMICS_ELEMENT_KERNEL
#else
#define BRISANCE_DYNAMICS_ELEMENT_KERNEL
#endif

HWY_BEFORE_NAMESPACE();
namespace brisance::dynamics::HWY_NAMESPACE {

/// Rest-shape gradients of corners b, c, d: [j][k] = ∂b_{j+1}/∂u_k [1/m].
HWY_INLINE Matrix load_gradients(const dist::ElementBlock& block, int first) {
  Matrix g;
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k) g.at[j][k] = hn::Load(kTag, block.gradient[j][k] + first);
  return g;
}

HWY_INLINE Symmetric load_plastic_strain(const PlasticBlock& block, int first) {
  Symmetric p;
  for (int k = 0; k < 6; ++k) p.at[k] = hn::Load(kTag, block.strain[k] + first);
  return p;
}

/// Data for the stress of elements [first, first + kLanes).
struct ElementLanes {
  Matrix gradient, deformation, deformation_rate;
  Lanes volume;
  Symmetric strain, elastic_stress;
  Symmetric rate, viscous_stress;
  bool any_resists;      ///< some element is neo-Hookean
  Mask resists;          ///< which
  Matrix elastic_piola;  ///< of those, −vol P [J]
};

/// Replaces the stress of neo-Hookean elements by that of their law.
HWY_INLINE void resist(const Law& law, ElementLanes& e) {
  e.resists = greater(law.resists, hn::Zero(kTag));
  if (none(e.resists)) return;
  const NeoHookeanStress s = neo_hookean_stress(e.deformation, e.strain, law, e.volume);
  e.elastic_piola = s.piola;
  for (int k = 0; k < 6; ++k) e.elastic_stress.at[k] = select(e.resists, s.stress.at[k], e.elastic_stress.at[k]);
}

/// Replaces the stress of anisotropic elements by that of their law.
HWY_INLINE void take_directions(const Stiffness& c, ElementLanes& e) {
  const Mask depends = greater(c.at[0], hn::Zero(kTag));  // C_xxxx
  const Symmetric stress = anisotropic_stress(e.strain, c);
  for (int k = 0; k < 6; ++k) e.elastic_stress.at[k] = select(depends, stress.at[k], e.elastic_stress.at[k]);
}

/// @param plastic      ε^p of the same elements; null where nothing flows
/// @param any_resists  LawTable::any_resists
HWY_INLINE ElementLanes evaluate(const dist::ElementBlock& block, const PlasticBlock* plastic, int first,
                                 const Law& law, bool any_resists, const dist::NodeMotion* nodes) {
  ElementLanes e;
  e.any_resists = any_resists;
  const EdgeLanes edges = load_edges(block, first, nodes);
  e.gradient = load_gradients(block, first);
  e.volume = hn::Load(kTag, block.volume + first);
  e.deformation = deformation_gradient(edges.position, e.gradient);
  e.strain = green_strain(e.deformation);
  e.elastic_stress = elastic_stress(e.strain, law);
  if (plastic != nullptr)
    e.elastic_stress = without_plastic_part(e.elastic_stress, load_plastic_strain(*plastic, first), law);
  if (any_resists) resist(law, e);
  e.deformation_rate = deformation_gradient(edges.velocity, e.gradient);
  e.rate = strain_rate(e.deformation, e.deformation_rate);
  e.viscous_stress = viscous_stress(e.rate, law, hn::Load(kTag, block.damping_scale + first));
  return e;
}

/// Strain at the positions of the nodes a time dt ago, from their present velocities: (F − dt Ḟ)ᵀ(F − dt Ḟ) − I = ε −
/// dt ν + dt² ḞᵀḞ.
HWY_INLINE Symmetric strain_before(const ElementLanes& e, Lanes dt) {
  const Symmetric square = green_strain(e.deformation_rate);  // ḞᵀḞ − I
  Symmetric before;
  for (int k = 0; k < 6; ++k) {
    const Lanes quadratic = k < 3 ? square.at[k] + all(1) : square.at[k];
    before.at[k] = mul_add(dt, mul_add(dt, quadratic, neg(e.rate.at[k])), e.strain.at[k]);
  }
  return before;
}

/// Forces of all stress. @param stress  elastic and viscous
HWY_INLINE FourForces forces_of(const ElementLanes& e, const Symmetric& stress) {
  Matrix piola = weighted_piola(e.deformation, stress, e.volume);
  if (e.any_resists && !none(e.resists)) {
    const Matrix viscous = weighted_piola(e.deformation, e.viscous_stress, e.volume);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        piola.at[i][k] = select(e.resists, e.elastic_piola.at[i][k] + viscous.at[i][k], piola.at[i][k]);
  }
  return forces_of_piola(piola, e.gradient);
}

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
