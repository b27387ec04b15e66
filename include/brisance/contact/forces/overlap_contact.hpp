/// Contact between deformable bodies, pieces and crack faces by the criteria of the papers: tets that overlap, or nodes
/// that lie inside tets, press each other apart.
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

/// Arguments of an explicit step for the contact forces.
struct OverlapStep {
  double dt_s;
  Vec3 gravity;                    ///< [m/s²]
  core::StepSharesOf shares = {};  ///< sub-steps of owned nodes
};

/// The law. A tet A is overlapped by S_A = Σ_B V(A ∩ B), over all B that share no node with A, V being the volume less
/// a sliver (kSliverShare). Its pressure is p = κ q for q = max(0, S_A/V₀_A − g_A), where g is its contact offset
/// (kOverlapOffset): an overlap that exists at the start, that a cut brings to the boundary, or that exists when the
/// tet begins to take part, gives no pressure, and the offset shrinks with the overlap. With criterion
/// node_penetration, S_A is the sum over A's nodes in others (nodes_inside). κ is a share of the material's λ + 2μ,
/// limited by what the nodes of its pairs bear in a coarse step, for which forces are held; it does not grow while the
/// tet is in contact (kContactStiffness).
///
/// Each detection has the same stages: the tets that take part (contact_layer), tets and ghost tets (ContactTets), a
/// Verlet list (TetCandidates), exact overlaps (find_overlaps), sums (touching_tets), forces (PairForces, end_forces).
/// Results follow from positions, ids and fields alone.
class OverlapContact {
public:
  explicit OverlapContact(const DeformableParameters& parameters);

  /// From now on a step of this length bounds the stiffness; 0, as at first: no bound, as for implicit steps. Local.
  void bound_stiffness_by(double step_s) { stiffness_step_s_ = step_s; }
  /// To be called when nodes have changed owners, or whole pieces have left the mesh. Local.
  void forget() { is_stale_ = true; }
  /// To be called after cuts, on all ranks. Local.
  void note_cuts() { is_stale_ = has_changed_ = true; }

  /// At the start: overlaps become contact offsets and are logged. Throws core::BadInput on all ranks where a tet lies
  /// almost wholly inside others, since the direction to separate them is then undefined. Collective.
  void take_start(dist::Mesh& mesh);
  /// Finds the pairs that overlap at the beginning of a step and updates the fields of contact. Collective.
  void find_for_step(dist::Mesh& mesh);
  /// The same after cuts, or where other tets take part than before: the pressure of no tet grows. Does nothing in
  /// other cases. Collective.
  void find_after_changes(dist::Mesh& mesh);
  /// Finds the pairs that overlap at the positions `motion` of owned nodes; fields stay unchanged. Collective.
  void find(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion);

  /// Forces of the pairs found last on owned nodes, by ascending slot. Collective.
  /// @param forces  all other forces on owned nodes, by slot [N]
  [[nodiscard]] std::vector<OverlapForce> forces_for_step(const dist::Mesh& mesh,
                                                          std::span<const dist::NodeForce> forces,
                                                          const OverlapStep& step);
  /// The same for the end of an implicit step of that length, at the positions for which the pairs were found. Local.
  [[nodiscard]] OverlapForces end_forces(double dt_s, const PairLimits& limits) const;
  /// Energy of the pairs found last: this rank's share [J]. Local.
  [[nodiscard]] core::ExactSum stored() const { return stored_energy(tets_.tets(), touching_); }
  /// Counts of the pairs found last. Local.
  [[nodiscard]] DeformableReport report() const;
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  using Shares = std::vector<std::pair<GlobalElement, double>>;  ///< shares of tets' volumes that others occupy
  void detect(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion);
  void gather(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion);
  void update_nodes(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion);
  void bound_stiffness();
  [[nodiscard]] double stiffness(const dist::Mesh& mesh, LocalElement e, double bound) const;
  /// Finds pairs, and the offset, pressure and stiffness of every tet that overlaps others, with the offset from
  /// offset_of(share of its volume, offset before, pressed share before).
  template <class OffsetOf>
  void press(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, const OffsetOf& offset_of);
  /// Stores them in the fields of held tets.
  void store(dist::Mesh& mesh) const;
  void note_deep_tets(dist::Mesh& mesh);
  void expect_velocities(const dist::Mesh& mesh, std::span<const dist::NodeForce> forces, const OverlapStep& step);
  [[nodiscard]] PairForceLaw law_of(double dt_s) const;
  void report_start(const dist::Mesh& mesh, const Shares& shares) const;
  [[nodiscard]] const ContactTet& tet(std::int32_t place) const {
    return tets_.tets()[static_cast<std::size_t>(place)];
  }

  DeformableParameters parameters_;
  double damping_ratio_, stiffness_step_s_ = 0;
  bool is_stale_ = true;      ///< the tets that take part have to be gathered anew
  bool has_changed_ = false;  ///< tets have changed since find_for_step, on any rank
  ContactTets tets_;
  TetCandidates candidates_;
  std::vector<OverlapNode> nodes_;  ///< by number in ContactTets
  std::vector<Vec3> position_;      ///< by number in ContactTets [m]
  std::vector<PairOverlap> pairs_;
  std::vector<TouchingTet> touching_;  ///< parallel to tets_
};

}  // namespace brisance::contact
