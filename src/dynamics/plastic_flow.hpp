/// Plastic flow of kLanes elements: the vector form of material::plastic_flow, and the state it works on.
#pragma once

#include "element_kernel.hpp"

namespace brisance::dynamics {

HWY_INLINE SymmetricLanes load_plastic_strain(const dist::PlasticBlock& block, int first) {
  SymmetricLanes p;
  for (int k = 0; k < 6; ++k) p.at[k] = hn::Load(kTag, block.strain[k] + first);
  return p;
}

/// ε^p brought up to date with the strain  [OBH02] (2)–(5): where γ1 < ‖dev(ε − ε^p)‖ and γ2 > 0, ε^p moves by what
/// exceeds γ1, and its norm is held to γ2. Elsewhere no bit of it changes. The flow keeps tr ε^p exactly: zz follows
/// from the other two, so that round-off cannot add up to a change of volume. Also adds the work ¼ σ^ε : Δε^p.
HWY_INLINE SymmetricLanes flow(const SymmetricLanes& strain, const LawLanes& law, dist::PlasticBlock& block,
                               int first) {
  const SymmetricLanes old = load_plastic_strain(block, first);
  SymmetricLanes elastic;
  for (int k = 0; k < 6; ++k) elastic.at[k] = strain.at[k] - old.at[k];
  const SymmetricLanes shape = deviator(elastic);
  const Lanes norm = hn::Sqrt(contraction(shape, shape));
  const auto flows = hn::And(hn::Gt(norm, law.yield), hn::Gt(law.limit, hn::Zero(kTag)));
  if (hn::AllFalse(kTag, flows)) return old;

  const Lanes share = (norm - law.yield) / hn::IfThenElse(flows, norm, all(1));  // (4)
  SymmetricLanes next;
  for (int k = 0; k < 6; ++k) next.at[k] = hn::MulAdd(share, shape.at[k], old.at[k]);
  const Lanes length = hn::Sqrt(contraction(next, next));
  const Lanes kept = hn::IfThenElse(hn::Gt(length, law.limit), law.limit / length, all(1));  // (5)
  for (int k = 0; k < 6; ++k) next.at[k] = kept * next.at[k];
  next.at[2] = kept * ((old.at[0] + old.at[1]) + old.at[2]) - (next.at[0] + next.at[1]);

  SymmetricLanes change;
  for (int k = 0; k < 6; ++k) {
    next.at[k] = hn::IfThenElse(flows, next.at[k], old.at[k]);
    change.at[k] = next.at[k] - old.at[k];
    elastic.at[k] = strain.at[k] - next.at[k];
    hn::Store(next.at[k], kTag, block.strain[k] + first);
  }
  const SymmetricLanes stress = isotropic_stress(elastic, law.lambda, law.two_mu);
  const Lanes work = all(0.25) * contraction(stress, change);
  hn::Store(hn::Load(kTag, block.dissipated + first) + work, kTag, block.dissipated + first);
  return next;
}

}  // namespace brisance::dynamics
