/// The nodes that fail now: a cheap rigorous bound first, the criterion where the bound cannot decide.
#pragma once

#include "brisance/core/memory.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/criteria/criterion.hpp"
#include "brisance/fracture/criteria/star_forces.hpp"
#include "brisance/fracture/criteria/strength.hpp"
#include "brisance/fracture/parameters.hpp"
#include "brisance/fracture/services.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace brisance::fracture {

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
  double severity;  ///< above 1; NaN if the load is not finite: no node can then be evaluated
  Vec3 normal;      ///< unit normal of the crack plane; zero if the severity is NaN
};

/// Evaluates a criterion at the nodes where it may have changed. Its memory from step to step is in fields of the mesh
/// (fields.hpp); strengths and the stars of the last evaluation are cached.
class FailureSearch {
public:
  /// `held`: regions with Dirichlet conditions; a node that they constrain along all axes does not fail. Throws
  /// core::Error if there is no criterion of that name.
  FailureSearch(const dist::Mesh& mesh, const Parameters& parameters, const ConstrainedRegions& held,
                CornerForceFunction corner_forces);

  /// Owned nodes that may fail at this time, by the by-product of the force pass alone: λ_max(ζ) ≤ B = ½ (bound + 2/√3
  /// |f|), with contact forces included in f. Where B does not bound the criterion's load
  /// (CriterionTraits::is_bounded), all nodes that are due for evaluation. Local.
  [[nodiscard]] std::vector<LocalNode> candidates(dist::Mesh& mesh, std::span<const dist::NodeForce> forces,
                                                  double time_s) const;
  /// Those of the given owned nodes that fail, and those whose load is not finite. With an evaluation interval
  /// (evaluate_interval_share), a node at a share r of its limit is not evaluated again for 2 (1−r) passages of a wave
  /// through its star, as long as it is not cut and B does not grow by half of the growth that would make it fail (at
  /// most to its double): the direction of stress changes no faster than waves travel, and a change that they bring
  /// shows in B. Local.
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
  void refresh(const dist::Mesh& mesh, std::span<const LocalNode> nodes) { limits_.refresh(mesh, nodes); }

  void hold(const ConstrainedRegions& held) { held_ = held; }
  /// Number of evaluations of each node since the last call, by node slot (0 for nodes beyond its end).
  [[nodiscard]] std::vector<std::uint32_t> take_evaluations() { return std::exchange(evaluations_, {}); }

  [[nodiscard]] std::size_t memory_bytes() const {
    return core::bytes_of(evaluations_) + limits_.memory_bytes() + star_forces_.memory_bytes();
  }

private:
  /// Candidates of a criterion with and without the bound B.
  [[nodiscard]] std::vector<LocalNode> nodes_above_bound(dist::Mesh& mesh, std::span<const dist::NodeForce> forces,
                                                         double time_s) const;
  [[nodiscard]] std::vector<LocalNode> due_nodes(const dist::Mesh& mesh, double time_s) const;
  /// Failure of a node whose star was evaluated, or none; what delays the next evaluation is noted.
  [[nodiscard]] std::optional<Failure> failure_of(dist::Mesh& mesh, LocalNode n, double time_s) const;
  /// Severity of such a node, with the plane of its crack.
  [[nodiscard]] Severity severity_at(const EvaluatedNode& at, const NodeLoad& load) const;
  /// Notes that a node was found sound at this share of its limit.
  void delay_evaluation(dist::Mesh& mesh, LocalNode n, double share, double time_s) const;
  /// Is the plane as good as the one of a cut that was refused?
  [[nodiscard]] bool is_refused(const dist::Mesh& mesh, LocalNode n, const Severity& found) const;
  [[nodiscard]] StarForces::Wanted wanted() const;
  /// Is the node free to move, and can its star be divided?
  [[nodiscard]] bool can_fail(const dist::Mesh& mesh, LocalNode n) const;
  [[nodiscard]] bool may_fail(const dist::Mesh& mesh, LocalNode n, double time_s) const;

  Parameters parameters_;
  ConstrainedRegions held_;
  std::unique_ptr<Criterion> criterion_;
  StarForces star_forces_;
  StrengthLimits limits_;
  double fastest_wave_ = 0;                 ///< largest of the materials [m/s]
  std::vector<std::uint32_t> evaluations_;  ///< by node slot
};

}  // namespace brisance::fracture
