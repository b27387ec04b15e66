/// From node motion to nodal forces, for kLanes elements at once. Every entry point of this module that needs an
/// element's strain, stress or force calls these functions, so that an element has one set of bits.
#pragma once

#include "law_lanes.hpp"
#include "node_lanes.hpp"

namespace brisance::dynamics {

/// Rest-shape gradients of corners b, c, d: [j][k] = ∂b_{j+1}/∂u_k [1/m].
HWY_INLINE MatrixLanes load_gradients(const dist::ElementBlock& block, int first) {
  MatrixLanes g;
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k) g.at[j][k] = hn::Load(kTag, block.gradient[j][k] + first);
  return g;
}

/// F_ik = Σ_j (x_j − x_a)_i ∂b_j/∂u_k; with velocities instead of positions, Ḟ.
HWY_INLINE MatrixLanes deformation_gradient(const Lanes (&edge)[3][3], const MatrixLanes& gradient) {
  MatrixLanes f;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      f.at[i][k] = hn::MulAdd(edge[0][i], gradient.at[0][k],
                              hn::MulAdd(edge[1][i], gradient.at[1][k], edge[2][i] * gradient.at[2][k]));
  return f;
}

/// ε = FᵀF − I, unhalved  [OH99] (1).
HWY_INLINE SymmetricLanes green_strain(const MatrixLanes& f) {
  auto product = [&](int a, int b) HWY_ATTR {
    return hn::MulAdd(f.at[0][a], f.at[0][b], hn::MulAdd(f.at[1][a], f.at[1][b], f.at[2][a] * f.at[2][b]));
  };
  auto normal = [&](int a) HWY_ATTR {
    const Lanes last = hn::MulSub(f.at[2][a], f.at[2][a], all(1));
    return hn::MulAdd(f.at[0][a], f.at[0][a], hn::MulAdd(f.at[1][a], f.at[1][a], last));
  };
  return {{normal(0), normal(1), normal(2), product(0, 1), product(1, 2), product(2, 0)}};
}

/// ν = FᵀḞ + ḞᵀF  [OH99] (5).
HWY_INLINE SymmetricLanes strain_rate(const MatrixLanes& f, const MatrixLanes& rate) {
  auto half = [&](int a, int b) HWY_ATTR {
    return hn::MulAdd(f.at[0][a], rate.at[0][b], hn::MulAdd(f.at[1][a], rate.at[1][b], f.at[2][a] * rate.at[2][b]));
  };
  auto normal = [&](int a) HWY_ATTR {
    const Lanes h = half(a, a);
    return h + h;
  };
  return {{normal(0), normal(1), normal(2), half(0, 1) + half(1, 0), half(1, 2) + half(2, 1), half(2, 0) + half(0, 2)}};
}

/// a tr(T) I + b T: Hooke's law with (λ, 2μ) and strain, Kelvin and Voigt's with (φ, 2ψ) and its rate  [OH99] (7), (8).
HWY_INLINE SymmetricLanes isotropic_stress(const SymmetricLanes& t, Lanes a, Lanes b) {
  const Lanes pressure = a * trace(t);
  return {{hn::MulAdd(b, t.at[0], pressure), hn::MulAdd(b, t.at[1], pressure), hn::MulAdd(b, t.at[2], pressure),
           b * t.at[3], b * t.at[4], b * t.at[5]}};
}

/// σ(ε) − σ(ε^p). Taken off an elastic stress rather than off the strain: where ε^p is zero no bit changes.
HWY_INLINE SymmetricLanes without_plastic_part(const SymmetricLanes& stress, const SymmetricLanes& plastic,
                                               const LawLanes& law) {
  const SymmetricLanes taken = isotropic_stress(plastic, law.lambda, law.two_mu);
  SymmetricLanes elastic;
  for (int k = 0; k < 6; ++k) elastic.at[k] = stress.at[k] - taken.at[k];
  return elastic;
}

/// ν and s(φ tr(ν) I + 2ψ ν) of elements [first, first + kLanes).
struct ViscousLanes {
  SymmetricLanes rate, stress;
};
HWY_INLINE ViscousLanes viscous_state(const MatrixLanes& f, const EdgeLanes& edges, const MatrixLanes& gradient,
                                      const LawLanes& law, Lanes damping_scale) {
  ViscousLanes v;
  v.rate = strain_rate(f, deformation_gradient(edges.velocity, gradient));
  v.stress = isotropic_stress(v.rate, damping_scale * law.phi, damping_scale * law.two_psi);
  return v;
}

HWY_INLINE SymmetricLanes sum(const SymmetricLanes& a, const SymmetricLanes& b) {
  SymmetricLanes s;
  for (int k = 0; k < 6; ++k) s.at[k] = a.at[k] + b.at[k];
  return s;
}

/// f_j = −(vol/2) F σ ∇b_j of corners a b c d [N]  [OH99] (24); a's is what makes the four add up to zero.
struct FourForces {
  VectorLanes at[4];
};
HWY_INLINE FourForces forces_of_stress(const MatrixLanes& f, const SymmetricLanes& stress, const MatrixLanes& gradient,
                                       Lanes volume) {
  const Lanes weight = all(-0.5) * volume;
  SymmetricLanes s;
  for (int k = 0; k < 6; ++k) s.at[k] = weight * stress.at[k];

  MatrixLanes first_piola;  // weight F σ
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      first_piola.at[i][k] =
          hn::MulAdd(f.at[i][0], s.at[kSymmetric[0][k]],
                     hn::MulAdd(f.at[i][1], s.at[kSymmetric[1][k]], f.at[i][2] * s.at[kSymmetric[2][k]]));

  FourForces force;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      force.at[j + 1].at[i] =
          hn::MulAdd(first_piola.at[i][0], gradient.at[j][0],
                     hn::MulAdd(first_piola.at[i][1], gradient.at[j][1], first_piola.at[i][2] * gradient.at[j][2]));
  for (int i = 0; i < 3; ++i) force.at[0].at[i] = hn::Neg(force.at[1].at[i] + force.at[2].at[i] + force.at[3].at[i]);
  return force;
}

}  // namespace brisance::dynamics
