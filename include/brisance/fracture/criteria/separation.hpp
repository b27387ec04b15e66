/// Separation of nodes, and how severe it is.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/criteria/criterion.hpp"
#include "brisance/fracture/criteria/separation_tensor.hpp"
#include "brisance/fracture/parameters.hpp"
#include "brisance/fracture/services.hpp"

#include <span>
#include <vector>

namespace brisance::fracture {

/// Separation of an owned node.
struct NodeSeparation {
  LocalNode node;
  Mat3 zeta = Mat3::Zero();  ///< [N], world axes
  PrincipalSeparation principal;
};

/// Separation tensors of owned nodes, in the order given. Local.
[[nodiscard]] std::vector<NodeSeparation> separations(const dist::Mesh& mesh, std::span<const LocalNode> nodes,
                                                      const CornerForceFunction& corner_forces);

/// The share is v⁺/τ or v⁺/(max(A_n, A_0) σ_c), the largest over the star's materials. On a front, with
/// FrontToughness::energy, σ_c is front_strength of materials that have a K_Ic. A_0 is the direction mean kUncutArea
/// and enters only once the star was cut: before that A_n is the uncut area itself, exact for every direction. Where a
/// material's strength depends on the direction, v⁺ and the normal are those of the scaled tensor
/// (directional_strength.hpp). Local.
[[nodiscard]] Severity severity_of(const dist::Mesh& mesh, const NodeSeparation& separation,
                                   const Parameters& parameters = {});

/// Its share alone. Local.
[[nodiscard]] inline double severity(const dist::Mesh& mesh, const NodeSeparation& separation,
                                     const Parameters& parameters = {}) {
  return severity_of(mesh, separation, parameters).share;
}

}  // namespace brisance::fracture
