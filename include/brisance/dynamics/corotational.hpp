/// Internal forces and energies of the small strain, for implicit steps: linear in the displacements up to the rotation
/// of each element.
#pragma once

#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/parameters.hpp"

#include <cstdint>
#include <span>

namespace brisance::dynamics {

/// ∂b/∂u of the four corners in an element's rest shape [1/m].
[[nodiscard]] std::array<Vec3, 4> shape_gradients(const dist::ElementBlock& block, int lane);

/// Σ_j x_j ∂b_j/∂u: with positions F, with velocities Ḟ. Nodes are given by slot. Local.
[[nodiscard]] Mat3 corner_gradient(std::span<const Vec3, 4> at_corners, const std::array<Vec3, 4>& gradients);

/// f_i = −V R (σ(e) + σ^ν(ė)) ∂b_i,  e = sym(RᵀF) − I − ½ ε^p,  ė = sym(RᵀḞ), σ by Hooke's law with λ, μ and with s φ,
/// s ψ; R is the element's rotation (rotation_of), or I where `strain` is linear.
///
/// To first order in e the forces of internal_forces; those turn with the body whatever its strain, these are linear in
/// it. Terms are added in ascending slot. `forces` (one per node slot) is overwritten; right for owned nodes. Local.
void corotational_forces(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, Strain strain,
                         std::span<dist::NodeForce> forces);

/// Σ V (½ λ (tr e)² + μ e:e) over these elements [J]. Local.
[[nodiscard]] core::ExactSum corotational_energy(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion,
                                                 Strain strain, std::span<const std::int32_t> elements);

/// 1 − cos of the largest angle by which one of these elements has turned [–]: what a linear strain makes of it. Local.
[[nodiscard]] double largest_false_strain(const dist::Mesh& mesh, std::span<const std::int32_t> elements);

}  // namespace brisance::dynamics
