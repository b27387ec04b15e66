/// A cheap upper bound of |f⁺| at each corner, computed in the force pass: nodes whose sum stays below the toughness
/// need no eigenvalues.
#include "dynamics/element_kernel.hpp"

#if defined(BRISANCE_DYNAMICS_SEPARATION_BOUND) == defined(HWY_TARGET_TOGGLE)
#ifdef BRISANCE_DYNAMICS_SEPARATION_BOUND
#undef BRISANCE_DYNAMICS_SEPARATION_BOUND
#else
#define BRISANCE_DYNAMICS_SEPARATION_BOUND
#endif

HWY_BEFORE_NAMESPACE();
namespace brisance::dynamics::HWY_NAMESPACE {

/// An upper bound of √x, x ≥ 0, close to 1e-6: a single-precision root costs a fraction of a double one. Rounding to
/// single precision errs by 2^-24 relative or 2^-150 absolute (below its range), the root by 2^-24 more; past its range
/// the bound is infinite.
HWY_INLINE Lanes root_from_above(Lanes x) {
  const hn::Rebind<float, LaneTag> narrow;
  const Lanes root = hn::PromoteTo(kTag, hn::Sqrt(hn::DemoteTo(narrow, x)));
  return hn::MulAdd(root, all(1 + 0x1.0p-20), all(0x1.0p-74));
}

/// The largest eigenvalue of σ, from above by at most 2 % of p = √(‖dev σ‖²_F/6): q + p g(s), q = tr σ/3,
/// g = 2 cos(⅔ acos s), s² = (1 + det(dev σ)/(2p³))/2. g is concave, so that its tangents at both ends lie above it; p
/// and p s are from above, and both grow with p.
HWY_INLINE Lanes largest_stress_from_above(const Symmetric& stress) {
  const Symmetric d = deviator(stress);
  const Lanes p = root_from_above(contraction(d, d) * all(1.0 / 6.0));
  const Lanes x = d.at[0], y = d.at[1], z = d.at[2], xy = d.at[3], yz = d.at[4], zx = d.at[5];
  const Lanes det = hn::MulAdd(x, y * z - yz * yz, zx * (xy * yz - y * zx)) - xy * (xy * z - yz * zx);
  const Lanes p_s_squared = hn::MulAdd(p * p, p, all(0.5) * det) / (all(2) * p);  // cancels where s is small: margin
  const Lanes p_s = root_from_above(hn::Max(hn::Zero(kTag), p_s_squared)) + all(1e-6) * p;
  const Lanes p_g =
      hn::Min(hn::MulAdd(all(1.15470053838), p_s, p), hn::MulAdd(all(8.0 / 9.0), p_s, all(10.0 / 9.0) * p));
  return hn::MulAdd(trace(stress), all(1.0 / 3.0), hn::MulAdd(all(1e-9), p, p_g));
}

/// For corners a b c d the smaller of two bounds of |f⁺_j| = ½ vol |F σ⁺ ∇b_j| [N], S the singular values of F:
///   ½ vol S_max |∇b_j| max(0, λ), λ ≥ the largest eigenvalue of σ: zero where σ is only compressive;
///   (S_max/S_min) |f_j|, for |σ⁺ ∇b| ≤ |σ ∇b|: small where the tension does not act on this face.
/// FᵀF = I + ε gives S_max² ≤ 1 + ‖ε‖_F and S_min² ≥ 1 − ‖ε‖_F; every root is an upper bound.
struct FourBounds {
  Lanes at[4];
};
HWY_INLINE FourBounds separation_bounds(const Symmetric& strain, const Symmetric& stress, const Matrix& gradient,
                                        Lanes volume, const FourForces& force) {
  const Lanes largest = hn::Max(hn::Zero(kTag), largest_stress_from_above(stress));
  const Lanes strain_norm = root_from_above(contraction(strain, strain));
  const Lanes stretch_squared = all(1) + strain_norm;
  const Lanes least_squared = hn::Max(all(1) - strain_norm, all(1e-9));  // a ratio so large that it never decides
  const Lanes ratio_squared = stretch_squared / least_squared;
  const Lanes common = all(0.5) * volume * largest;

  auto bound = [&](Lanes x, Lanes y, Lanes z, const Vector& f) HWY_ATTR {
    const Lanes length_squared = hn::MulAdd(x, x, hn::MulAdd(y, y, z * z));
    const Lanes force_squared = hn::MulAdd(f.at[0], f.at[0], hn::MulAdd(f.at[1], f.at[1], f.at[2] * f.at[2]));
    const Lanes by_eigenvalue = common * root_from_above(stretch_squared * length_squared);
    return hn::Min(by_eigenvalue, root_from_above(ratio_squared * force_squared));
  };
  FourBounds bounds;
  Lanes first[3];
  for (int k = 0; k < 3; ++k) first[k] = gradient.at[0][k] + gradient.at[1][k] + gradient.at[2][k];  // −∇b_a
  bounds.at[0] = bound(first[0], first[1], first[2], force.at[0]);
  for (int j = 0; j < 3; ++j)
    bounds.at[j + 1] = bound(gradient.at[j][0], gradient.at[j][1], gradient.at[j][2], force.at[j + 1]);
  return bounds;
}

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
