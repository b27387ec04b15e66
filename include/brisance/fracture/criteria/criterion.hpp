/// The nodes that fail now: a cheap rigorous bound first, the separation tensor where the bound cannot decide.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/criteria/separation_tensor.hpp"
#include "brisance/fracture/criteria/star_forces.hpp"
#include "brisance/fracture/parameters.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
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

/// A_n(n) = (1/6) Σ |a_f·n| over the star's faces opposite the node, current positions: with σ₀ n nᵀ in the star,
/// v⁺ = σ₀ A_n (VALIDATION C0) [m²]. Owned nodes. Local.
[[nodiscard]] double projected_area(const dist::Mesh& mesh, LocalNode n, const Vec3& normal);

/// λ_min(½ Σ V ∇b ∇bᵀ/|∇b|), a lower bound of A_n over all directions, rest shape [m²]. Owned nodes. Local.
[[nodiscard]] double least_projected_area(const dist::Mesh& mesh, LocalNode n);

/// Strength at a node of a front of a material with known K_Ic, where the mean edge of the uncut mesh is h_0 = 1.26 h:
/// 0.55 K_Ic/√h [Pa] (VALIDATION C9; h: spacing of a regular grid). The mesh resolves the stress at a tip no better.
[[nodiscard]] double front_strength(double fracture_toughness, double uncut_edge_length);

/// Stress at which the weakest material around an owned node fails: at fronts front_strength with
/// FrontToughness::energy; a toughness is divided by the uncut area. Where nothing has a strength and there is no
/// front, that of a front; infinite where nothing can break [Pa]. Local.
[[nodiscard]] double weakest_strength(const dist::Mesh& mesh, LocalNode n, const Parameters& parameters);

/// Load of a node over its limit, and the plane across which it would break.
struct Severity {
  double share = 0;  ///< v⁺/τ or v⁺/(max(A_n, A_0) σ_c), the largest over the star's materials; fails above 1
  Vec3 normal = Vec3::UnitX();  ///< unit, world axes
};

/// On a front, with FrontToughness::energy, σ_c is front_strength of materials that have a K_Ic. A_0 is the direction
/// mean kUncutArea and enters only once the star was cut: before that A_n is the uncut area itself, exact for every
/// direction. Where a material's strength depends on the direction, v⁺ and the normal are those of the scaled tensor
/// (directional_strength.hpp). Local.
[[nodiscard]] Severity severity_of(const dist::Mesh& mesh, const NodeSeparation& separation,
                                   const Parameters& parameters = {});

/// Its share alone. Local.
[[nodiscard]] inline double severity(const dist::Mesh& mesh, const NodeSeparation& separation,
                                     const Parameters& parameters = {}) {
  return severity_of(mesh, separation, parameters).share;
}

/// Regions that prescribe a component of their nodes' velocity, by axis, as bits of dist::kRegions.
struct ConstrainedRegions {
  std::array<std::uint32_t, 3> by_axis{};

  /// Is a node of these regions constrained along all three axes? Such a node does not fail; one on rollers can.
  [[nodiscard]] bool constrain_all(std::uint32_t regions) const {
    return (regions & by_axis[0]) != 0 && (regions & by_axis[1]) != 0 && (regions & by_axis[2]) != 0;
  }
};

struct Failure {
  LocalNode node;
  double severity;  ///< above 1; NaN if the separation tensor is not finite: no node can then be evaluated
  Vec3 normal;      ///< unit normal of the crack plane; zero if the severity is NaN
};

/// The criterion, with a cached lower bound of each node's area. Its memory from step to step is in fields of the mesh
/// (fields.hpp).
class Criterion {
public:
  /// `held`: regions with Dirichlet conditions; a node that they constrain along all axes does not fail.
  Criterion(const dist::Mesh& mesh, const Parameters& parameters, const ConstrainedRegions& held,
            CornerForceFunction corner_forces);

  /// Owned nodes that may fail at this time, by the by-product of the force pass alone: λ_max(ζ) ≤ B = ½ (bound + 2/√3
  /// |f|), with contact forces included in f. B does not bound stresses: where the criterion compares stresses, all
  /// nodes that are due for evaluation. Local.
  [[nodiscard]] std::vector<LocalNode> candidates(dist::Mesh& mesh, std::span<const dist::NodeForce> forces,
                                                  double time_s) const;
  /// Those of the given owned nodes that fail, and those whose separation tensor is not finite. With an evaluation
  /// interval (evaluate_interval_share), a node at a share r of its limit is not evaluated again for 2 (1−r) passages
  /// of a wave through its star, as long as it is not cut and B does not grow by half of the growth that would make it
  /// fail (at most to its double): the direction of stress changes no faster than waves travel, and a change that they
  /// bring shows in B. Local.
  [[nodiscard]] std::vector<Failure> failures(dist::Mesh& mesh, std::span<const LocalNode> nodes, double time_s);
  /// Severity of each of the given owned nodes, and the plane across which it would crack, in the given order: by the
  /// same measure as failures(), regardless of waiting times. A node that cannot fail (constrained, or in a single tet)
  /// has a share of 0. Local.
  [[nodiscard]] std::vector<Severity> severities(const dist::Mesh& mesh, std::span<const LocalNode> nodes);
  /// Updates the area bounds from ‖ε‖ by element slot: strain shrinks areas, and with them the force that a node bears.
  /// Before the first call, and for nodes refreshed since, no bound is assumed. To be called again before strains have
  /// grown by 0.05. Local.
  void note_strain(dist::Mesh& mesh, std::span<const float> strain);
  /// The same for these owned nodes; reads only the elements of their stars. Local.
  void note_strain(dist::Mesh& mesh, std::span<const LocalNode> nodes, std::span<const float> strain);
  /// Updates the area bounds and materials of these nodes after a cut. Local.
  void refresh(const dist::Mesh& mesh, std::span<const LocalNode> nodes);

  void hold(const ConstrainedRegions& held) { held_ = held; }
  /// Number of evaluations of each node since the last call, by node slot (0 for nodes beyond its end).
  [[nodiscard]] std::vector<std::uint32_t> take_evaluations() { return std::exchange(evaluations_, {}); }

  [[nodiscard]] std::size_t memory_bytes() const {
    return core::bytes_of(evaluations_, limits_) + star_forces_.memory_bytes();
  }

private:
  /// Load around a node and its limit: the node fails where the largest eigenvalue is above the limit.
  struct Pull {
    SymMat3 tensor;  ///< separation tensor [N] or stress [Pa]
    double limit;
  };
  [[nodiscard]] Pull pull_on(const dist::Mesh& mesh, LocalNode n) const;
  /// Severity of a node whose star was evaluated, for this load, with the plane of its crack.
  [[nodiscard]] Severity severity_by(const dist::Mesh& mesh, LocalNode n, const Pull& pull) const;
  [[nodiscard]] StarForces::Wanted wanted() const {
    return compares_stress() || parameters_.direction == Direction::hoop ? StarForces::Wanted::stresses
                                                                         : StarForces::Wanted::forces;
  }
  /// Severity for the mean stress of a star, if strength may depend on the direction.
  [[nodiscard]] Severity severity_of_stress(const dist::Mesh& mesh, LocalNode n, const SymMat3& stress) const;
  [[nodiscard]] Pull hardest_pulled_element(const dist::Mesh& mesh, LocalNode n) const;
  [[nodiscard]] bool compares_stress() const { return parameters_.criterion == FailureCriterion::principal_stress; }
  /// Is the node free to move, and can its star be divided?
  [[nodiscard]] bool can_fail(const dist::Mesh& mesh, LocalNode n) const;
  [[nodiscard]] bool may_fail(const dist::Mesh& mesh, LocalNode n, double time_s) const;
  /// Normal of the plane across the largest hoop stress around the front through the node, or none where there is no
  /// front; for a node whose star was evaluated.
  [[nodiscard]] std::optional<Vec3> hoop_normal(const dist::Mesh& mesh, LocalNode n) const;
  /// Lower bound of the force that makes the node fail [N]; infinite if nothing around it can break.
  [[nodiscard]] double least_limit(const dist::Mesh& mesh, LocalNode n) const;

  Parameters parameters_;
  ConstrainedRegions held_;
  StarForces star_forces_;
  bool any_direction_ = false;              ///< some material's strength depends on the direction
  double fastest_wave_ = 0;                 ///< largest of the materials [m/s]
  std::vector<std::uint32_t> evaluations_;  ///< by node slot
  /// Parts of a node's least limit, along the weakest axis; infinite where no material of its star has such a limit.
  struct Limits {
    double area = 0;                                             ///< least_projected_area at rest [m²]
    double strength = std::numeric_limits<double>::infinity();   ///< least σ_c [Pa]
    double toughness = std::numeric_limits<double>::infinity();  ///< least τ [N]
  };
  std::vector<Limits> limits_;  ///< by node slot
};

}  // namespace brisance::fracture
