/// A cheap upper bound of |f⁺| at each corner, riding in the force pass: nodes whose sum stays below the toughness need
/// no eigenvalues.
#pragma once

#include "element_kernel.hpp"

namespace brisance::dynamics {

/// An upper bound of √x, x ≥ 0, close to 1e-6: a single-precision root costs a fraction of a double one. Rounding to
/// single precision errs by 2^-24 relative or 2^-150 absolute (below its range), the root by 2^-24 more; past its range
/// the bound is infinite.
HWY_INLINE Lanes root_from_above(Lanes x) {
  const hn::Rebind<float, LaneTag> narrow;
  const Lanes root = hn::PromoteTo(kTag, hn::Sqrt(hn::DemoteTo(narrow, x)));
  return hn::MulAdd(root, all(1 + 0x1.0p-20), all(0x1.0p-74));
}

/// ½ vol √(1+‖ε‖_F) |∇b_j| max(0, q+2p), q = tr σ/3, p = √(‖dev σ‖²_F/6), for corners a b c d [N].
/// It holds because q+2p ≥ the largest eigenvalue of σ, √(1+‖ε‖_F) ≥ ‖F‖₂ (FᵀF = I + ε), and every root is from above.
struct FourBounds {
  Lanes at[4];
};
HWY_INLINE FourBounds separation_bounds(const SymmetricLanes& strain, const SymmetricLanes& stress,
                                        const MatrixLanes& gradient, Lanes volume) {
  const SymmetricLanes shape = deviator(stress);
  const Lanes twice_p = root_from_above(contraction(shape, shape) * all(4.0 / 6.0));
  const Lanes largest = hn::Max(hn::Zero(kTag), hn::MulAdd(trace(stress), all(1.0 / 3.0), twice_p));
  const Lanes stretch_squared = all(1) + root_from_above(contraction(strain, strain));
  const Lanes common = all(0.5) * volume * largest;

  auto stretched_length = [&](Lanes x, Lanes y, Lanes z) HWY_ATTR {
    return root_from_above(stretch_squared * hn::MulAdd(x, x, hn::MulAdd(y, y, z * z)));
  };
  FourBounds bound;
  Lanes first[3];
  for (int k = 0; k < 3; ++k) first[k] = gradient.at[0][k] + gradient.at[1][k] + gradient.at[2][k];  // −∇b_a
  bound.at[0] = common * stretched_length(first[0], first[1], first[2]);
  for (int j = 0; j < 3; ++j)
    bound.at[j + 1] = common * stretched_length(gradient.at[j][0], gradient.at[j][1], gradient.at[j][2]);
  return bound;
}

}  // namespace brisance::dynamics
