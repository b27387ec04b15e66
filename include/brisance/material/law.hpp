/// The constitutive law of one point, in readable form: what the vector kernels of dynamics must agree with.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/material/material.hpp"

namespace brisance::material {

/// σ^ε = λ tr(ε^e) I + 2μ ε^e [Pa]: twice the physical 2nd Piola–Kirchhoff stress, since ε is unhalved  [OH99] (7).
[[nodiscard]] SymMat3 elastic_stress(const Material& m, const SymMat3& elastic_strain);

/// σ^ν = φ tr(ν) I + 2ψ ν [Pa], ν in 1/s  [OH99] (8).
[[nodiscard]] SymMat3 viscous_stress(const Material& m, const SymMat3& strain_rate);

/// ε^p after it has followed the strain  [OBH02] (2)–(5): where γ1 < ‖dev(ε − ε^p)‖ it moves by the part beyond γ1, and
/// its norm is then held to γ2. γ2 = 0 switches flow off: ε^p is returned as it is. Traces do not change.
[[nodiscard]] SymMat3 plastic_flow(const Material& m, const SymMat3& strain, const SymMat3& plastic_strain);

/// Energy stored per unit rest volume, σ^ε : ε^e / 8 [J/m³]; a quarter of what [OH99] (9) prints (VALIDATION 0.1).
[[nodiscard]] double elastic_energy_density(const Material& m, const SymMat3& elastic_strain);

/// Plastic work per unit rest volume of a change of ε^p, ¼ σ^ε : Δε^p, at the elastic strain after it [J/m³].
[[nodiscard]] double plastic_work(const Material& m, const SymMat3& elastic_strain, const SymMat3& plastic_change);

/// Σ_ij A_ij B_ij of two symmetric tensors, each shear counted twice.
[[nodiscard]] double contraction(const SymMat3& a, const SymMat3& b);

}  // namespace brisance::material
