/// Strength of the materials around a node.
#pragma once

#include "brisance/core/memory.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/fracture/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace brisance::fracture {

/// Strength at a node of a front of a material with known K_Ic, where the mean edge of the uncut mesh is h_0 = 1.26 h:
/// 0.55 K_Ic/√h [Pa] (VALIDATION C9; h: spacing of a regular grid). The mesh resolves the stress at a tip no better.
[[nodiscard]] double front_strength(double fracture_toughness, double uncut_edge_length);

/// Stress at which the weakest material around an owned node fails: at fronts front_strength with
/// FrontToughness::energy; a toughness is divided by the uncut area. Where nothing has a strength and there is no
/// front, that of a front; infinite where nothing can break [Pa]. Local.
[[nodiscard]] double weakest_strength(const dist::Mesh& mesh, LocalNode n, const Parameters& parameters);

/// Cached lower bounds of the limits of owned nodes, along the weakest axis of each material. All functions are local.
class StrengthLimits {
public:
  explicit StrengthLimits(const Parameters& parameters) : parameters_(parameters) {}

  /// Updates the limits of these nodes; to be called for all owned nodes at first, then after a cut.
  void refresh(const dist::Mesh& mesh, std::span<const LocalNode> nodes);

  /// Least σ_c of the star's materials; infinite if none has one [Pa].
  [[nodiscard]] double least_strength(LocalNode n) const { return limits_[n.value].strength; }
  /// Lower bound of the force that makes the node fail, min(τ, σ_c A): A is a lower bound of the area under the strain
  /// of kAreaLeft, and of a cut node at least Parameters::least_area_share of the uncut one. Infinite if nothing around
  /// it can break [N].
  [[nodiscard]] double least_force(const dist::Mesh& mesh, LocalNode n) const {
    const Limits& limits = limits_[n.value];
    if (!std::isfinite(limits.strength)) return limits.toughness;
    double area = limits.area * mesh.field(kAreaLeft)[n];
    if (mesh.field(kCut)[n] != 0) area = std::max(area, parameters_.least_area_share * mesh.field(kUncutArea)[n]);
    return std::min(limits.strength * area, limits.toughness);
  }

  [[nodiscard]] std::size_t memory_bytes() const { return core::bytes_of(limits_); }

private:
  /// Infinite where no material of the star has such a limit.
  struct Limits {
    double area = 0;                                             ///< least_projected_area at rest [m²]
    double strength = std::numeric_limits<double>::infinity();   ///< least σ_c [Pa]
    double toughness = std::numeric_limits<double>::infinity();  ///< least τ [N]
  };
  Parameters parameters_;
  std::vector<Limits> limits_;  ///< by node slot
};

}  // namespace brisance::fracture
