/// Precomputation for impacts: [S22] eqs. (19)–(22). Input: tets (triangles of a flat body); output: a runtime set.
///
/// A blow at point p spreads as a field g, ∫ g = 1, and would move the object by w = V·g·n. Since every mode is
/// constant on each atom a, an impact depends on g only through the share b_a(p) = ∫_a g. The paper's rows Aᵢ (22)
/// follow from it, Aᵢ(p) = Σ_a uᵢ(a)·b_a(p), and so do the least-squares answer (figure 20) and the modes of a piece
/// that breaks again.
#pragma once

#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/modes/body/mode_set.hpp"
#include "brisance/modes/body/simplices.hpp"
#include "brisance/modes/pieces/pieces.hpp"
#include "brisance/runtime/impact_set.hpp"

#include <span>
#include <vector>

namespace brisance::modes {

/// Which smears to tabulate, and their length.
struct SmearParameters {
  bool elastic = true, gaussian = false;
  double relative_length =
      0.1;  ///< ℓ/∛V (ℓ/√A in two dimensions), ℓ the decay length (elastic) or the standard deviation (Gaussian) [–]
};

/// The pieces as rigid bodies of density 1; triangles as thin sheets with a mass for each area. Local.
[[nodiscard]] std::vector<runtime::SolidShape> atom_shapes(const Simplices& mesh, const PieceLabels& atoms);

/// Pairs of pieces that touch, with the area between them, in ascending (a, b). Local.
[[nodiscard]] std::vector<runtime::AtomFace> atom_faces(const CellGraph& graph, const PieceLabels& atoms);

/// Sets the modes of `set` to their means over its atoms, orthonormalised; modes that were nonzero only on joined
/// slivers, and vanish on the atoms, are dropped. Local.
void restrict_modes(const CellGraph& graph, const ModeSet& modes, const PieceLabels& atoms, runtime::ImpactSet& set);

/// Nodes where an impact may strike: on the outside (by face_source) and between atoms, ascending. Local.
[[nodiscard]] std::vector<std::int32_t> strikable_nodes(const mesh::TetMesh& mesh, const PieceLabels& atoms);

/// One implicit step of a shock wave, (M + ℓ²L) g = e_p, on the unbroken mesh with linear elements, lumped M and
/// positive semi-definite L ([S22] eq. (21) with the sign corrected, ℓ = wave speed × time step). Throws core::Error if
/// the solver (CG, 1e-10) does not converge. Local.
/// @param length_m  ℓ [m]
[[nodiscard]] runtime::SmearTable elastic_smear(const Simplices& mesh, const PieceLabels& atoms,
                                                std::span<const std::int32_t> nodes, double length_m);

/// g(x) ∝ exp(−|x − p|²/2ℓ²), [S22] eq. (19), scaled to ∫ g = 1 over the object. Local.
[[nodiscard]] runtime::SmearTable gaussian_smear(const Simplices& mesh, const PieceLabels& atoms,
                                                 std::span<const std::int32_t> nodes, double length_m);

/// All of the above; triangles of a flat body can be struck at every node. Throws core::Error if the mesh, the graph
/// and the modes are inconsistent, or the length is not positive. Local.
[[nodiscard]] runtime::ImpactSet impact_set(const mesh::TetMesh& mesh, const CellGraph& graph, const ModeSet& modes,
                                            const PieceLabels& atoms, const SmearParameters& parameters);
[[nodiscard]] runtime::ImpactSet impact_set(const mesh::PlaneMesh& plane, const CellGraph& graph, const ModeSet& modes,
                                            const PieceLabels& atoms, const SmearParameters& parameters);

}  // namespace brisance::modes
