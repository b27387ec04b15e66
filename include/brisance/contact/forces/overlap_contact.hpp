/// Contact between deformable bodies, pieces and crack faces by the criteria of the papers: tets that overlap, or nodes
/// inside tets, press each other apart.
#pragma once

#include "brisance/contact/deformable_report.hpp"
#include "brisance/contact/forces/end_forces.hpp"
#include "brisance/contact/forces/pair_forces.hpp"
#include "brisance/contact/forces/pair_overlap.hpp"
#include "brisance/contact/forces/touching_tets.hpp"
#include "brisance/contact/parameters.hpp"
#include "brisance/contact/search/contact_tets.hpp"
#include "brisance/contact/search/tet_candidates.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/core/step_shares.hpp"
#include "brisance/dist/mesh.hpp"

#include <span>
#include <utility>
#include <vector>

namespace brisance::contact {

/// How an explicit step asks for forces.
struct OverlapStep {
  double dt_s;
  Vec3 gravity;                    ///< [m/s²]
  core::StepSharesOf shares = {};  ///< of owned nodes
};

/// The law. Tets lie in each other to S_A = Σ_B V(A ∩ B), over all B that share no node with A, V being the volume less
/// a sliver (kSliverShare). A presses with p = κ q for q = max(0, S_A/V₀_A − g_A), where g is its contact offset
/// (kOverlapOffset): what overlaps at the start, comes to the boundary by a cut, or begins to take part, presses
/// nothing, and the offset shrinks with the overlap. Where nodes count, S_A is what A's nodes in others add up to
/// (nodes_inside). κ is a share of the material's λ + 2μ, and no more than the nodes of its pairs bear in a
/// coarse step, for which forces are held; it grows no more while the tet presses (kContactStiffness).
///
/// Each detection goes through the same stages: who takes part (contact_layer), tets and ghost tets (ContactTets), a
/// Verlet list (TetCandidates), exact overlaps (find_overlaps), sums (TouchingTets), forces (pair_forces, end_forces).
/// Results follow from positions, ids and fields alone.
class OverlapContact {
public:
  /// @param stiffness_step_s  the step by which stiffness is bounded; 0: by none, as for implicit steps
  OverlapContact(const DeformableParameters& parameters, double stiffness_step_s);

  void bound_stiffness_by(double step_s) { stiffness_step_s_ = step_s; }
  /// Nodes have other owners, or whole pieces have left the mesh. Local.
  void forget() { is_stale_ = true; }
  /// The mesh was cut; the same on all ranks. Local.
  void note_cuts() { is_stale_ = has_changed_ = true; }

  /// At the start: what overlaps becomes an offset, and is said in the log. Throws core::BadInput on all ranks where a
  /// tet lies almost wholly inside others, so that nothing says which way is out. Collective.
  void take_start(dist::Mesh& mesh);
  /// Pairs that overlap at the beginning of a step; fields of contact follow. Collective.
  void find_for_step(dist::Mesh& mesh);
  /// The same after cuts, or where other tets take part since: no tet presses harder than before. Nothing where neither
  /// is the case. Collective.
  void find_after_changes(dist::Mesh& mesh);
  /// Pairs that overlap where `motion` has owned nodes; fields stay as they are. Collective.
  void find(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion);

  /// Of the pairs found last, on owned nodes by ascending slot. Collective.
  /// @param forces  of all else on owned nodes, by slot [N]
  [[nodiscard]] std::vector<OverlapForce> forces_for_step(const dist::Mesh& mesh,
                                                          std::span<const dist::NodeForce> forces,
                                                          const OverlapStep& step);
  /// The same as an implicit step of that length has them where the pairs were found. Local.
  [[nodiscard]] OverlapForces end_forces(double dt_s, const PairLimits& limits) const;
  /// Energy of the pairs found last, this rank's share [J]. Local.
  [[nodiscard]] core::ExactSum stored() const { return touching_.stored(tets_.tets()); }
  /// Of the pairs found last. Local.
  [[nodiscard]] DeformableReport report() const;
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  using Shares = std::vector<std::pair<GlobalElement, double>>;  ///< of tets' volumes, that others occupy
  void detect(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion);
  void gather(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion);
  void update_nodes(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion);
  void bound_stiffness();
  [[nodiscard]] double stiffness(const dist::Mesh& mesh, const TouchingTet& touching) const;
  /// Asks for the offset of every held tet that overlaps, by its share and what it pressed for before.
  template <class OffsetOf>
  void press(dist::Mesh& mesh, const OffsetOf& offset_of);
  void note_deep_tets(dist::Mesh& mesh);
  void expect_velocities(const dist::Mesh& mesh, std::span<const dist::NodeForce> forces, const OverlapStep& step);
  [[nodiscard]] PairForceLaw law_of(double dt_s) const;
  void report_start(const dist::Mesh& mesh, const Shares& shares) const;
  [[nodiscard]] const ContactTet& tet(std::int32_t place) const {
    return tets_.tets()[static_cast<std::size_t>(place)];
  }

  DeformableParameters parameters_;
  double damping_ratio_, stiffness_step_s_;
  bool is_stale_ = true;      ///< who takes part has to be gathered anew
  bool has_changed_ = false;  ///< since find_for_step, on any rank
  ContactTets tets_;
  TetCandidates candidates_;
  std::vector<OverlapNode> nodes_;  ///< by number of ContactTets
  std::vector<Vec3> position_;      ///< likewise [m]
  std::vector<PairOverlap> pairs_;
  TouchingTets touching_;
};

}  // namespace brisance::contact
