/// Internal forces and energies of the small strain, for implicit steps: linear in the displacements except for the
/// rotation of each element.
#pragma once

#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/parameters.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

/// ∂b/∂u of the four corners in an element's rest shape [1/m].
[[nodiscard]] std::array<Vec3, 4> shape_gradients(const dist::ElementBlock& block, int lane);

/// Σ_j x_j ∂b_j/∂u: with positions F, with velocities Ḟ. Nodes are given by slot. Local.
[[nodiscard]] Mat3 corner_gradient(std::span<const Vec3, 4> at_corners, const std::array<Vec3, 4>& gradients);

/// f_i = −V R (σ(e) + σ^ν(ė)) ∂b_i,  e = sym(RᵀF) − I − ½ ε^p,  ė = sym(RᵀḞ), σ by Hooke's law with λ, μ and with s φ,
/// s ψ; R is the element's rotation (rotation_of), or I where `strain` is linear.
///
/// To first order in e these are the forces of internal_forces. Those rotate with the body at any strain,
/// these are linear in it. Terms are added in ascending slot. `forces` (one per node slot) is overwritten; valid for
/// owned nodes.
/// @param energy  corotational_energy of the elements whose home is this rank is added to it; null: not computed
/// Local.
void corotational_forces(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, Strain strain,
                         std::span<dist::NodeForce> forces, core::ExactSum* energy = nullptr);

/// Σ V (½ λ (tr e)² + μ e:e) over these elements [J]. Local.
[[nodiscard]] core::ExactSum corotational_energy(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion,
                                                 Strain strain, std::span<const std::int32_t> elements);

/// Bound of the rounding error of a node's force: ε Σ V M |∂b_i| (1 + Σ_j |x_j| |∂b_j|) over its star, M = λ + 2μ, ε
/// the distance of 1 to the next double. Positions are no finer than ε |x|, so no smaller residual can be required.
/// `bound` (one per node slot) is overwritten; valid for owned nodes [N]. Local.
void rounding_of_forces(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, std::span<double> bound);

/// 1 − cos θ, by element slot, for the angle θ by which the element has rotated [–]: a linear strain measures the
/// rotation as a contraction by this share in its plane. 0 for unused slots. Local.
[[nodiscard]] std::vector<double> false_strains(const dist::Mesh& mesh);

}  // namespace brisance::dynamics
