// One tet's formulas, from the motion of its corners to the forces on them. The vector kernels compile this text for
// many elements at once; elements/law.hpp compiles it for one number at a time, for reading and testing.
//
// No guard and no namespace: the including namespace provides
//   Real        a number, or one number of each of several elements
//   Mask        the result of comparing two Reals
//   all(x) mul_add(a,b,c) mul_sub(a,b,c) neg(a) root(a) logarithm(a) greater(a,b) both(m,n) none(m) select(m,a,b)
// and ELEMENTS_INLINE says how functions are inlined. mul_add is fused: a·b + c rounded once, on numbers and on
// vectors, so that both give the same bits.

struct Vector {
  Real at[3];
};
struct Matrix {
  Real at[3][3];
};
/// xx yy zz xy yz zx, tensor shears: the order of SymMat3.
struct Symmetric {
  Real at[6];
};

/// Index of component (row, column) of a symmetric tensor among the six.
inline constexpr int kSymmetric[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};

/// Constants of a material in the form that the formulas use.
struct Law {
  Real lambda, two_mu;  ///< [Pa]
  Real phi, two_psi;    ///< [Pa·s]
  Real yield, limit;    ///< γ1, γ2 [–]
  Real resists;         ///< 1: neo-Hookean; 0: St. Venant–Kirchhoff, the papers' law
};

ELEMENTS_INLINE Real trace(const Symmetric& t) { return t.at[0] + t.at[1] + t.at[2]; }

/// A : B = Σ_ij A_ij B_ij, each shear counted twice.
ELEMENTS_INLINE Real contraction(const Symmetric& a, const Symmetric& b) {
  const Real shears = mul_add(a.at[3], b.at[3], mul_add(a.at[4], b.at[4], a.at[5] * b.at[5]));
  const Real normals = mul_add(a.at[0], b.at[0], mul_add(a.at[1], b.at[1], a.at[2] * b.at[2]));
  return mul_add(all(2), shears, normals);
}

/// T − tr(T)/3 I.
ELEMENTS_INLINE Symmetric deviator(const Symmetric& t) {
  const Real mean = trace(t) * all(1.0 / 3.0);
  return {{t.at[0] - mean, t.at[1] - mean, t.at[2] - mean, t.at[3], t.at[4], t.at[5]}};
}

ELEMENTS_INLINE Symmetric sum(const Symmetric& a, const Symmetric& b) {
  Symmetric s;
  for (int k = 0; k < 6; ++k) s.at[k] = a.at[k] + b.at[k];
  return s;
}

ELEMENTS_INLINE Symmetric difference(const Symmetric& a, const Symmetric& b) {
  Symmetric s;
  for (int k = 0; k < 6; ++k) s.at[k] = a.at[k] - b.at[k];
  return s;
}

ELEMENTS_INLINE Symmetric adjugate(const Symmetric& t) {
  const Real xx = t.at[0], yy = t.at[1], zz = t.at[2], xy = t.at[3], yz = t.at[4], zx = t.at[5];
  return {{mul_sub(yy, zz, yz * yz), mul_sub(xx, zz, zx * zx), mul_sub(xx, yy, xy * xy), mul_sub(zx, yz, xy * zz),
           mul_sub(xy, zx, yz * xx), mul_sub(xy, yz, zx * yy)}};
}

/// F_ik = Σ_j (x_j − x_a)_i ∂b_j/∂u_k; with velocities instead of positions, Ḟ.
/// @param edge      corners b, c, d minus corner a: [corner][axis] [m] or [m/s]
/// @param gradient  of the shape functions of b, c, d in the rest shape: [j][k] = ∂b_{j+1}/∂u_k [1/m]
ELEMENTS_INLINE Matrix deformation_gradient(const Real (&edge)[3][3], const Matrix& gradient) {
  Matrix f;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      f.at[i][k] = mul_add(edge[0][i], gradient.at[0][k],
                           mul_add(edge[1][i], gradient.at[1][k], edge[2][i] * gradient.at[2][k]));
  return f;
}

ELEMENTS_INLINE Real determinant(const Matrix& f) {
  const Real x = mul_sub(f.at[1][1], f.at[2][2], f.at[1][2] * f.at[2][1]);
  const Real y = mul_sub(f.at[1][2], f.at[2][0], f.at[1][0] * f.at[2][2]);
  const Real z = mul_sub(f.at[1][0], f.at[2][1], f.at[1][1] * f.at[2][0]);
  return mul_add(f.at[0][0], x, mul_add(f.at[0][1], y, f.at[0][2] * z));
}

/// ε = FᵀF − I, unhalved  [OH99] (1).
ELEMENTS_INLINE Symmetric green_strain(const Matrix& f) {
  Symmetric e;
  for (int a = 0; a < 3; ++a) {
    const Real last = mul_sub(f.at[2][a], f.at[2][a], all(1));
    e.at[a] = mul_add(f.at[0][a], f.at[0][a], mul_add(f.at[1][a], f.at[1][a], last));
    const int b = (a + 1) % 3;  // xy, yz, zx
    e.at[3 + a] = mul_add(f.at[0][a], f.at[0][b], mul_add(f.at[1][a], f.at[1][b], f.at[2][a] * f.at[2][b]));
  }
  return e;
}

/// Row a of FᵀḞ, column b.
ELEMENTS_INLINE Real rate_product(const Matrix& f, const Matrix& rate, int a, int b) {
  return mul_add(f.at[0][a], rate.at[0][b], mul_add(f.at[1][a], rate.at[1][b], f.at[2][a] * rate.at[2][b]));
}

/// ν = FᵀḞ + ḞᵀF  [OH99] (3).
ELEMENTS_INLINE Symmetric strain_rate(const Matrix& f, const Matrix& rate) {
  Symmetric nu;
  for (int a = 0; a < 3; ++a) {
    const Real half = rate_product(f, rate, a, a);
    nu.at[a] = half + half;
    const int b = (a + 1) % 3;
    nu.at[3 + a] = rate_product(f, rate, a, b) + rate_product(f, rate, b, a);
  }
  return nu;
}

/// a tr(T) I + b T: Hooke's law with (λ, 2μ) and strain, Kelvin and Voigt's with (φ, 2ψ) and its rate  [OH99] (7), (8).
ELEMENTS_INLINE Symmetric isotropic_stress(const Symmetric& t, Real a, Real b) {
  const Real pressure = a * trace(t);
  return {{mul_add(b, t.at[0], pressure), mul_add(b, t.at[1], pressure), mul_add(b, t.at[2], pressure), b * t.at[3],
           b * t.at[4], b * t.at[5]}};
}

/// σ^ε = λ tr(ε) I + 2μ ε of a purely elastic strain [Pa]: twice the physical 2nd Piola–Kirchhoff stress, since ε is
/// unhalved  [OH99] (7).
ELEMENTS_INLINE Symmetric elastic_stress(const Symmetric& strain, const Law& law) {
  return isotropic_stress(strain, law.lambda, law.two_mu);
}

/// Stiffness of a material whose law depends on the direction: the upper triangle of C_kl, row by row, both indices in
/// the order of Symmetric [Pa]. Zero stands for an isotropic material.
struct Stiffness {
  Real at[21];
};

/// Index of C_kl among the 21.
inline constexpr int kStiffness[6][6] = {{0, 1, 2, 3, 4, 5},     {1, 6, 7, 8, 9, 10},    {2, 7, 11, 12, 13, 14},
                                         {3, 8, 12, 15, 16, 17}, {4, 9, 13, 16, 18, 19}, {5, 10, 14, 17, 19, 20}};

/// σ_ij = C_ijkl ε_kl [Pa]  [OH99] (5); each shear counted twice.
ELEMENTS_INLINE Symmetric anisotropic_stress(const Symmetric& strain, const Stiffness& c) {
  Real e[6];
  for (int l = 0; l < 6; ++l) e[l] = l < 3 ? strain.at[l] : strain.at[l] + strain.at[l];
  Symmetric stress;
  for (int k = 0; k < 6; ++k) {
    stress.at[k] = c.at[kStiffness[k][5]] * e[5];
    for (int l = 4; l >= 0; --l) stress.at[k] = mul_add(c.at[kStiffness[k][l]], e[l], stress.at[k]);
  }
  return stress;
}

/// σ(ε) − σ(ε^p). Subtracts stresses rather than strains: where ε^p is zero no bit changes.
ELEMENTS_INLINE Symmetric without_plastic_part(const Symmetric& stress, const Symmetric& plastic, const Law& law) {
  return difference(stress, elastic_stress(plastic, law));
}

/// σ^ν = s (φ tr(ν) I + 2ψ ν) [Pa]  [OH99] (8); s: share of the damping kept (1 unless capped after a cut).
ELEMENTS_INLINE Symmetric viscous_stress(const Symmetric& rate, const Law& law, Real damping_scale) {
  return isotropic_stress(rate, damping_scale * law.phi, damping_scale * law.two_psi);
}

/// vol (σ^ε : ε^e)/8 [J]: a quarter of what [OH99] (9) prints (VALIDATION 0.1).
ELEMENTS_INLINE Real elastic_energy(const Symmetric& stress, const Symmetric& elastic_strain, Real volume) {
  return all(1.0 / 8) * volume * contraction(stress, elastic_strain);
}

/// vol (σ^ν : ν)/4 = −Σ f^ν·v [W].
ELEMENTS_INLINE Real damping_power(const Symmetric& viscous, const Symmetric& rate, Real volume) {
  return all(1.0 / 4) * volume * contraction(viscous, rate);
}

/// −(vol/2) F σ, which multiplied by an element's gradients gives its forces [J].
ELEMENTS_INLINE Matrix weighted_piola(const Matrix& f, const Symmetric& stress, Real volume) {
  const Real weight = all(-0.5) * volume;
  Symmetric s;
  for (int k = 0; k < 6; ++k) s.at[k] = weight * stress.at[k];

  Matrix first_piola;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      first_piola.at[i][k] = mul_add(f.at[i][0], s.at[kSymmetric[0][k]],
                                     mul_add(f.at[i][1], s.at[kSymmetric[1][k]], f.at[i][2] * s.at[kSymmetric[2][k]]));
  return first_piola;
}

/// f_j = −vol P ∇b_j of corners a b c d [N]; the force on a makes the four add up to zero.
/// @param first_piola  −vol P, as returned by weighted_piola
struct FourForces {
  Vector at[4];
};
ELEMENTS_INLINE FourForces forces_of_piola(const Matrix& first_piola, const Matrix& gradient) {
  FourForces force;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      force.at[j + 1].at[i] =
          mul_add(first_piola.at[i][0], gradient.at[j][0],
                  mul_add(first_piola.at[i][1], gradient.at[j][1], first_piola.at[i][2] * gradient.at[j][2]));
  for (int i = 0; i < 3; ++i) force.at[0].at[i] = neg(force.at[1].at[i] + force.at[2].at[i] + force.at[3].at[i]);
  return force;
}

/// f_j = −(vol/2) F σ ∇b_j  [OH99] (24).
ELEMENTS_INLINE FourForces forces_of_stress(const Matrix& f, const Symmetric& stress, const Matrix& gradient,
                                            Real volume) {
  return forces_of_piola(weighted_piola(f, stress, volume), gradient);
}

/// The stable neo-Hookean law (Smith, de Goes and Kim 2018): as stiff as Hooke's in the rest shape, defined for any F
/// and with a restoring force from any,
///   W = m/2 (I − 3) − m/2 ln((I + 1)/4) + l/2 [(J − a)² − (1 − a)²],  P = m (1 − 1/(I + 1)) F + l (J − a) cof F,
/// I = F : F, J = det F, m = 4μ/3, l = λ + 5μ/6, a = 1 + 3m/(4l).
struct NeoHookean {
  Real m, l, a;
};
ELEMENTS_INLINE NeoHookean neo_hookean(const Law& law) {
  const Real m = all(2.0 / 3) * law.two_mu, l = mul_add(all(5.0 / 12), law.two_mu, law.lambda);
  return {m, l, mul_add(all(0.75), m / l, all(1))};
}

ELEMENTS_INLINE Matrix cofactor(const Matrix& f) {
  Matrix c;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
      c.at[i][k] = mul_sub(f.at[i1][k1], f.at[i2][k2], f.at[i1][k2] * f.at[i2][k1]);
    }
  return c;
}

/// F : F, from the strain.
ELEMENTS_INLINE Real first_invariant(const Symmetric& strain) { return trace(strain) + all(3); }

/// Elastic stress of a neo-Hookean element.
struct NeoHookeanStress {
  Matrix piola;      ///< −vol P [J]
  Symmetric stress;  ///< σ of the papers, 2 F⁻¹P [Pa]; zero where J < 0.01: a crushed element does not pull
};
ELEMENTS_INLINE NeoHookeanStress neo_hookean_stress(const Matrix& f, const Symmetric& strain, const Law& law,
                                                    Real volume) {
  const NeoHookean c = neo_hookean(law);
  const Matrix cof = cofactor(f);
  const Real j = mul_add(f.at[0][0], cof.at[0][0], mul_add(f.at[0][1], cof.at[0][1], f.at[0][2] * cof.at[0][2]));
  const Real stretch = c.m - c.m / (first_invariant(strain) + all(1)), pressure = c.l * (j - c.a);
  NeoHookeanStress result;
  const Real by_f = neg(volume * stretch), by_cof = neg(volume * pressure);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) result.piola.at[i][k] = mul_add(by_f, f.at[i][k], by_cof * cof.at[i][k]);

  const Mask sound = greater(j, all(0.01));
  const Real per_j = select(sound, (pressure + pressure) / select(sound, j, all(1)), all(0));
  const Real mean = select(sound, stretch + stretch, all(0));
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3;  // xx xy, yy yz, zz zx of cofᵀ cof
    const Real normal =
        mul_add(cof.at[0][a], cof.at[0][a], mul_add(cof.at[1][a], cof.at[1][a], cof.at[2][a] * cof.at[2][a]));
    const Real shear =
        mul_add(cof.at[0][a], cof.at[0][b], mul_add(cof.at[1][a], cof.at[1][b], cof.at[2][a] * cof.at[2][b]));
    result.stress.at[a] = mul_add(per_j, normal, mean);
    result.stress.at[3 + a] = per_j * shear;
  }
  return result;
}

/// vol W [J].
ELEMENTS_INLINE Real neo_hookean_energy(const Matrix& f, const Symmetric& strain, const Law& law, Real volume) {
  const NeoHookean c = neo_hookean(law);
  const Real j = determinant(f), i = first_invariant(strain);
  const Real shape = c.m * (trace(strain) - logarithm(all(0.25) * (i + all(1))));
  const Real volumetric = c.l * (j - all(1)) * (j + all(1) - c.a - c.a);
  return all(0.5) * volume * (shape + volumetric);
}

/// ε^p after a step of plastic flow, and its work ¼ σ^ε : Δε^p per unit rest volume [J/m³].
struct PlasticStep {
  Mask flows;
  Symmetric strain;
  Real work;
};
/// [OBH02] (2)–(5): where γ1 < ‖dev(ε − ε^p)‖ and γ2 > 0, ε^p moves by the excess over γ1, and its norm is limited to
/// γ2. Elsewhere no bit of it changes. The flow keeps tr ε^p exactly: zz follows from the other two, so that round-off
/// cannot add up to a change of volume. The work uses the stress after the step: the best estimate where the path is
/// unknown, and exact for a flow that lasts throughout the step.
ELEMENTS_INLINE PlasticStep plastic_step(const Symmetric& strain, const Symmetric& old, const Law& law) {
  const Symmetric shape = deviator(difference(strain, old));  // (2)
  const Real norm = root(contraction(shape, shape));
  const Mask flows = both(greater(norm, law.yield), greater(law.limit, all(0)));  // (3)
  if (none(flows)) return {flows, old, all(0)};

  const Real share = (norm - law.yield) / select(flows, norm, all(1));  // (4)
  Symmetric next;
  for (int k = 0; k < 6; ++k) next.at[k] = mul_add(share, shape.at[k], old.at[k]);
  const Real length = root(contraction(next, next));
  const Real kept = select(greater(length, law.limit), law.limit / length, all(1));  // (5)
  for (int k = 0; k < 6; ++k) next.at[k] = kept * next.at[k];
  next.at[2] = kept * ((old.at[0] + old.at[1]) + old.at[2]) - (next.at[0] + next.at[1]);

  for (int k = 0; k < 6; ++k) next.at[k] = select(flows, next.at[k], old.at[k]);
  const Symmetric stress = elastic_stress(difference(strain, next), law);
  return {flows, next, all(0.25) * contraction(stress, difference(next, old))};
}

/// The work of a step by the mean of the stresses before it (at the strain `before`) and after it: the integrator's
/// energy balance then closes to second order, also where a flow begins or ends within the step.
ELEMENTS_INLINE Real work_by_mean_stress(const PlasticStep& step, const Symmetric& before, const Symmetric& old,
                                         const Law& law) {
  const Symmetric stress = elastic_stress(difference(before, old), law);
  return all(0.5) * mul_add(all(0.25), contraction(stress, difference(step.strain, old)), step.work);
}

/// Σ_i w_i ∇b_i ∇b_iᵀ over corners a b c d, w_i ≥ 0: with w_i = 1/m_i and times the volume, an element's stiffness over
/// its masses for a unit material.
ELEMENTS_INLINE Symmetric weighted_gradients(const Matrix& gradient, const Real (&weight)[4]) {
  Real corner[4][3];
  for (int k = 0; k < 3; ++k) {
    corner[0][k] = neg(gradient.at[0][k] + gradient.at[1][k] + gradient.at[2][k]);
    for (int j = 0; j < 3; ++j) corner[j + 1][k] = gradient.at[j][k];
  }
  Symmetric sum = {{all(0), all(0), all(0), all(0), all(0), all(0)}};
  for (int i = 0; i < 4; ++i)
    for (int a = 0; a < 3; ++a) {
      const Real weighted = weight[i] * corner[i][a];
      const int b = (a + 1) % 3;  // xy, yz, zx
      sum.at[a] = mul_add(weighted, corner[i][a], sum.at[a]);
      sum.at[3 + a] = mul_add(weighted, corner[i][b], sum.at[3 + a]);
    }
  return sum;
}

/// Upper bound on the largest eigenvalue: tr/3 + √(2/3) ‖dev‖ (Wolkowicz and Styan 1980); equal to it where the two
/// smaller ones are equal.
ELEMENTS_INLINE Real largest_eigenvalue_bound(const Symmetric& t) {
  const Symmetric shape = deviator(t);
  return mul_add(all(1.0 / 3), trace(t), root(all(2.0 / 3) * contraction(shape, shape)));
}

/// Upper bound on the largest eigenvalue of the map that the isotropic law σ = a tr(ε) I + b ε makes of G = Σ w ∇b ∇bᵀ
/// (weighted_gradients): in G's own axes that is the larger of b/2 (g₁+g₂), a shear, and an eigenvalue of b diag(g) + a
/// √g √gᵀ; neither exceeds b g₁ + max(a, 0) tr G. With w_i = vol/m_i, of M⁻¹K or M⁻¹C [1/s², 1/s].
ELEMENTS_INLINE Real law_eigenvalue_bound(const Symmetric& gradients, Real a, Real b) {
  const Real pressure = select(greater(a, all(0)), a, all(0));
  return mul_add(b, largest_eigenvalue_bound(gradients), pressure * trace(gradients));
}

/// s = 1 + 1.5‖ε‖ shortens the step of a strained element: it covers the stiffening and the geometric stiffness.
ELEMENTS_INLINE Real strain_factor(Real strain_norm) { return mul_add(all(1.5), strain_norm, all(1)); }

ELEMENTS_INLINE Real larger(Real a, Real b) { return select(greater(a, b), a, b); }

/// Lower bound on s², the factor on b g₁ + a tr G of Hooke's law, where the tangent of another law gives A g₁ + B tr G
/// for any G: tr G is between g₁ and 3 g₁.
ELEMENTS_INLINE Real share_of_hooke(Real a, Real b, const Law& law) {
  const Real flat = (a + b) / (law.two_mu + law.lambda);
  const Real round = mul_add(all(3), b, a) / mul_add(all(3), law.lambda, law.two_mu);
  return larger(flat, round);
}

/// ‖ε‖ at which strain_factor bounds a neo-Hookean element's stiffness relative to rest. Its tangent is
///   α 1 + β F⊗F + l c⊗c + l (J − a) D,  α = m (1 − 1/(I + 1)), β = 2m/(I + 1)², c = cof F, D = ∂c/∂F.
/// The eigenvalues of D are ±S_k (singular values of F) and the roots of d³ − I d − 2J, of which the smallest is the
/// least of all; where J > 0, D in the space of stretches is (c⊗c − diag c²)/J besides. Newton's steps from −2√(I/3),
/// which lies below, stay below.
ELEMENTS_INLINE Real neo_hookean_stiffening(const Matrix& f, const Symmetric& strain, const Law& law) {
  const NeoHookean c = neo_hookean(law);
  Symmetric right = strain;  // C = FᵀF
  for (int k = 0; k < 3; ++k) right.at[k] = right.at[k] + all(1);
  const Real area = largest_eigenvalue_bound(adjugate(right)), length = largest_eigenvalue_bound(right);
  const Real i = larger(trace(right), all(1e-30)), j = determinant(f), per = all(1) / (i + all(1));
  const Real alpha = c.m - c.m * per, rank_one = all(2) * c.m * per * per * length;

  Real d = all(-2) * root(all(1.0 / 3) * i);
  for (int step = 0; step < 3; ++step) {
    const Real d2 = d * d;
    d = d - mul_sub(d2 - i, d, j + j) / mul_sub(all(3), d2, i);
  }
  const Real p = c.a - j;
  const Mask grown = greater(all(0), p), steady = both(greater(p, all(0)), greater(j, p));
  const Real safe_j = select(greater(j, all(0.01)), j, all(0.01));
  const Real crushed = share_of_hooke(mul_add(c.l, p * neg(d), alpha), mul_add(c.l, area, rank_one), law);
  const Real sound =
      share_of_hooke(mul_add(c.l, p * area / safe_j, alpha), mul_add(c.l, area - p * area / safe_j, rank_one), law);
  const Real large =
      share_of_hooke(mul_add(c.l, neg(p) * root(length), alpha), mul_add(c.l, area - p * area / safe_j, rank_one), law);
  const Real least = select(both(steady, greater(crushed, sound)), sound, crushed);
  return larger(all(0), (root(select(grown, large, least)) - all(1)) * all(2.0 / 3));
}

/// Upper bound on the largest eigenvalue of an element's stiffness [N/m]: vol s² (2μ g₁ + λ tr G), G = Σ ∇b ∇bᵀ.
/// @param s  strain_factor
ELEMENTS_INLINE Real stiffness_bound(const Matrix& gradient, const Law& law, Real s, Real volume) {
  const Real ones[4] = {all(1), all(1), all(1), all(1)};
  return volume * s * s * law_eigenvalue_bound(weighted_gradients(gradient, ones), law.lambda, law.two_mu);
}

/// Longest stable step of symplectic Euler with lagged damping where no eigenvalue of M⁻¹K exceeds k [1/s²] and none of
/// M⁻¹C exceeds c [1/s]: dt² k/4 + dt c/2 = 1, so 2/(√(k + c²/4) + c/2).
ELEMENTS_INLINE Real stable_step(Real k, Real c) {
  const Real half = all(0.5) * c;
  return all(2) / (root(mul_add(half, half, k)) + half);
}

/// Longest stable step of an element (VALIDATION A8) whose neighbours share the masses of its corners. Each element of
/// a node gets the share w_e/W_n of its mass m_n, its own part of the stiffness of all; where no element with its
/// shares vibrates faster than the step allows, nothing does: K = Σ K_e, M = Σ M_e.
/// @param damping_scale  share of the damping kept
/// @param s              strain_factor; stiffness grows with its square
/// @param damping_s      the same factor for the damping
/// @param added_stiffness  W_n/m_n of the corners, W_n = Σ_e w_e, w_e as stiffness_bound says [1/s²]
ELEMENTS_INLINE Real stable_step(const Matrix& gradient, const Law& law, Real damping_scale, Real s, Real damping_s,
                                 const Real (&added_stiffness)[4]) {
  const Symmetric shared = weighted_gradients(gradient, added_stiffness);
  const Real over = s / stiffness_bound(gradient, law, s, all(1));  // the volume of w_e cancels that of K_e
  const Real k = s * law_eigenvalue_bound(shared, law.lambda, law.two_mu);
  const Real c = damping_scale * law_eigenvalue_bound(shared, law.phi, law.two_psi);
  return stable_step(over * k, over * c * (damping_s / s));
}
