/// Tensile part of a symmetric tensor, in closed form and without branches: σ⁺ = Σ max(0, λ_i) n_i n_iᵀ  [OH99] (29).
#include "dynamics/lanes.hpp"

#if defined(BRISANCE_DYNAMICS_TENSILE_PART) == defined(HWY_TARGET_TOGGLE)
#ifdef BRISANCE_DYNAMICS_TENSILE_PART
#undef BRISANCE_DYNAMICS_TENSILE_PART
#else
#define BRISANCE_DYNAMICS_TENSILE_PART
#endif

HWY_BEFORE_NAMESPACE();
namespace brisance::dynamics::HWY_NAMESPACE {

/// Root y ∈ [√3, 2] of y³ − 3y = 2r for r ∈ [0, 1], i.e. 2 cos(acos(r)/3): a cubic start, then three Newton steps.
HWY_INLINE Lanes isolated_root(Lanes r) {
  Lanes y = hn::MulAdd(r, all(-0.066), all(1.0 / 3.0));
  y = hn::MulAdd(r, y, all(1.7320508075688772));
  const Lanes twice_r = r + r;
  for (int i = 0; i < 3; ++i) {
    const Lanes y2 = y * y;
    y = y - hn::MulSub(y2 - all(3), y, twice_r) / hn::MulSub(all(3), y2, all(3));
  }
  return y;
}

/// The eigenvalue that lies farthest from the other two is always well separated (by √3 p or more, p² = ‖dev‖²/6), so
/// it and its projector N are exact to round-off; the rest, σ − λ₀N, is a 2×2 problem in the plane across it, whose
/// tensile part needs no eigenvectors either. Against Eigen's iterative solver, on 120,000 tensors with repeated and
/// nearly repeated eigenvalues among them: ‖error‖ ≤ 3.4e-15 ‖σ‖ (Frobenius; Eigen's own error included), for ‖σ‖ from
/// 1e-280 to 1e280. Not a number only where σ is not.
HWY_INLINE Symmetric tensile_part(const Symmetric& stress) {
  // Scale to largest entry 1, so that squares and cubes stay in range.
  Lanes largest = hn::Abs(stress.at[0]);
  for (int k = 1; k < 6; ++k) largest = hn::Max(largest, hn::Abs(stress.at[k]));
  largest = hn::Max(largest, all(1e-300));
  const Lanes unit = all(1) / largest;
  Symmetric s;
  for (int k = 0; k < 6; ++k) s.at[k] = stress.at[k] * unit;

  // Deviator divided by p: eigenvalues 2cos(θ), 2cos(θ ± 2π/3), with cos 3θ = det/2. Turned so that the isolated one is
  // positive.
  const Lanes zero = hn::Zero(kTag), one = all(1);
  const Lanes mean = trace(s) * all(1.0 / 3.0);
  const Symmetric dev = deviator(s);
  const Lanes p = hn::Sqrt(contraction(dev, dev) * all(1.0 / 6.0));
  const Lanes per_p = hn::IfThenElseZero(hn::Gt(p, zero), one / hn::Max(p, all(1e-300)));
  Symmetric d;
  for (int k = 0; k < 6; ++k) d.at[k] = dev.at[k] * per_p;
  const Symmetric cofactor = adjugate(d);
  const Lanes det = hn::MulAdd(d.at[0], cofactor.at[0], hn::MulAdd(d.at[3], cofactor.at[3], d.at[5] * cofactor.at[5]));
  const Lanes sign = hn::CopySign(one, det);
  const Lanes y = sign * isolated_root(hn::Min(one, hn::Abs(det) * all(0.5)));

  // N = adj(D − yI)/tr, its eigenvalue λ₀ of the whole tensor, and what is left in the plane across it.
  const Symmetric adj = adjugate({{d.at[0] - y, d.at[1] - y, d.at[2] - y, d.at[3], d.at[4], d.at[5]}});
  // tr adj is 6 to 9 for any deviator. Less than 1 says that D is what rounding left of a multiple of the identity: any
  // projector will do, and I/3, the mean of all, keeps σ⁺ whole.
  const auto resolved = hn::Gt(trace(adj), one);
  const Lanes per_trace = one / hn::Max(trace(adj), one);
  const Lanes isolated = hn::MulAdd(p, y, mean);
  const Lanes plane_mean = all(0.5) * (trace(s) - isolated);
  Symmetric plane, across, plane_dev;  // across: projector I − N
  for (int k = 0; k < 6; ++k) {
    const Lanes n = hn::IfThenElse(resolved, adj.at[k] * per_trace, all(k < 3 ? 1.0 / 3.0 : 0.0));
    across.at[k] = k < 3 ? one - n : hn::Neg(n);
    plane.at[k] = hn::NegMulAdd(isolated, n, s.at[k]);
    plane_dev.at[k] = hn::NegMulAdd(plane_mean, across.at[k], plane.at[k]);
  }
  const Lanes radius = hn::Sqrt(all(0.5) * contraction(plane_dev, plane_dev));

  // In the plane: all of it, none of it, or its larger eigenvalue times ½(I − N + dev/R).
  const auto whole = hn::Ge(plane_mean, radius);
  const auto none = hn::Le(plane_mean, hn::Neg(radius));
  const Lanes half_top = all(0.5) * (plane_mean + radius);
  const Lanes per_radius = half_top / hn::Max(radius, all(1e-300));
  const Lanes isolated_plus = hn::Max(isolated, zero);
  Symmetric result;
  for (int k = 0; k < 6; ++k) {
    const Lanes top = hn::MulAdd(half_top, across.at[k], per_radius * plane_dev.at[k]);
    const Lanes in_plane = hn::IfThenZeroElse(none, hn::IfThenElse(whole, plane.at[k], top));
    const Lanes n = k < 3 ? one - across.at[k] : hn::Neg(across.at[k]);
    result.at[k] = hn::MulAdd(isolated_plus, n, in_plane) * largest;
  }
  return result;
}

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
