/// Small strains seen from an element that may have turned: what implicit steps linearise.
#pragma once

#include "brisance/core/types.hpp"

namespace brisance::elements {

/// R of the polar decomposition F = R S: the rotation nearest to F, det R = +1. Where F turns a tet inside out, S has
/// one negative eigenvalue, that of the smallest size. The identity where F is not finite. Local; does not throw.
[[nodiscard]] Mat3 rotation_of(const Mat3& f);

/// e = sym(RᵀF) − I, halved (the small strain); with R = I that of the linear theory.
[[nodiscard]] inline Mat3 small_strain(const Mat3& rotation, const Mat3& f) {
  const Mat3 turned_back = rotation.transpose() * f;
  return 0.5 * (turned_back + turned_back.transpose()) - Mat3::Identity();
}

/// Hooke's law, λ tr(e) I + 2μ e, the physical stress [Pa]; with viscosities and a rate of strain, the viscous one.
[[nodiscard]] inline Mat3 hooke_stress(const Mat3& strain, double lambda, double mu) {
  return lambda * strain.trace() * Mat3::Identity() + 2 * mu * strain;
}

/// ½ λ (tr e)² + μ e:e [J/m³].
[[nodiscard]] inline double hooke_energy(const Mat3& strain, double lambda, double mu) {
  const double trace = strain.trace();
  return 0.5 * lambda * trace * trace + mu * strain.squaredNorm();
}

/// What its stress does against turns of an element whose F = R S moves by dF: with a half the axial vector of
/// RᵀdF − (RᵀdF)ᵀ, the energy grows by ½ (2 V) aᵀ H a beyond what R C Rᵀ has, all to second order. H has the axes
/// k of S and (σ_i + σ_j)/(s_i + s_j) along each, i and j being the other two; R turns with F (dR = R W,
/// W S + S W = RᵀdF − dFᵀR), so that with H the stiffness is the whole derivative of −V R σ(S − I).
/// @param stress  of the strain S − I, by Hooke's law [Pa]
/// @param only_tension  take no negative share [–]: what pressure does against stability is left out
/// @return symmetric, in the axes of S [Pa]. Local; does not throw.
[[nodiscard]] Mat3 turn_stiffness(const Mat3& stretch, const Mat3& stress, bool only_tension);

}  // namespace brisance::elements
