/// Small strains in the rotated frame of an element, for the linearisation of implicit steps.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/elements/law.hpp"
#include "brisance/elements/simplex.hpp"

namespace brisance::elements {

/// R of the polar decomposition F = R S: the rotation nearest to F, det R = +1. For an inverted tet, S has one negative
/// eigenvalue, the one of smallest size. The identity where F is not finite. Local; does not throw.
[[nodiscard]] Mat3 rotation_of(const Mat3& f);

/// e = sym(RᵀF) − I, the small strain (with the factor ½, unlike ε); with R = I that of the linear theory.
[[nodiscard]] inline Mat3 small_strain(const Mat3& rotation, const Mat3& f) {
  const Mat3 turned_back = rotation.transpose() * f;
  return 0.5 * (turned_back + turned_back.transpose()) - Mat3::Identity();
}

/// Hooke's law, λ tr(e) I + 2μ e, the physical stress [Pa]; with viscosities and a strain rate, the viscous stress.
[[nodiscard]] inline Mat3 hooke_stress(const Mat3& strain, double lambda, double mu) {
  return lambda * strain.trace() * Mat3::Identity() + 2 * mu * strain;
}

/// ½ λ (tr e)² + μ e:e [J/m³].
[[nodiscard]] inline double hooke_energy(const Mat3& strain, double lambda, double mu) {
  const double trace = strain.trace();
  return 0.5 * lambda * trace * trace + mu * strain.squaredNorm();
}

/// C : e of the anisotropic law, the physical stress [Pa].
[[nodiscard]] Mat3 anisotropic_stress(const Mat3& strain, const Stiffness& c);

/// K of ½ uᵀK u = ∫ ½ e : C : e,  e = sym ∇u, in the axes of C; ordered as elastic_stiffness is. Block of corners i, j
/// with a = ∇N_i, b = ∇N_j:  V a_k C_mkln b_n.
[[nodiscard]] StiffnessMatrix<3> anisotropic_stiffness(const Simplex<3>& shape, const Stiffness& c);

/// σ − 2Y; rotated by R it is the derivative of the energy density w(S − I) by F = R S. Where σ = ∂w/∂e does not have
/// the axes of S, rotating the stretch against the material does work too. Y is skew, Y S + S Y = ½ (σ S − S σ);
/// without it an element would rotate itself. Zero where stress and strain share their axes, as in isotropic materials;
/// of the order of the strain relative to σ. Local; does not throw.
[[nodiscard]] Mat3 stress_against_turns(const Mat3& stretch, const Mat3& stress);

/// Geometric stiffness against rotation of an element whose F = R S moves by dF: with a half the axial vector of RᵀdF −
/// (RᵀdF)ᵀ, the energy grows by ½ (2 V) aᵀ H a beyond the share of R C Rᵀ, all to second order. H has the axes k of S
/// and (σ_i + σ_j)/(s_i + s_j) along each, i and j being the other two; R rotates with F (dR = R W, W S + S W = RᵀdF −
/// dFᵀR), so that with H the stiffness is the whole derivative of −V R σ(S − I).
/// @param stress  of the strain S − I, by Hooke's law [Pa]
/// @param only_tension  clip negative entries to zero [–]: the destabilising part of pressure is left out
/// @return symmetric, in the axes of S [Pa]. Local; does not throw.
[[nodiscard]] Mat3 turn_stiffness(const Mat3& stretch, const Mat3& stress, bool only_tension);

}  // namespace brisance::elements
