/// The mesh's side of contact between deformable bodies: which tets are at the surface, through cuts and migrations.
#pragma once

#include "brisance/contact/deformable_contact.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/sim/skin_depths.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace brisance::sim {

/// Names every element after the body it is part of (contact::kBody). Collective.
void note_bodies(dist::Mesh& mesh);

class SkinContacts {
public:
  SkinContacts(const dist::Mesh& mesh, const contact::DeformableParameters& parameters);

  /// Takes the whole mesh: at the start, and whenever nodes have new owners. Collective.
  void rebuild(const dist::Mesh& mesh);
  /// After the cuts of a step. Collective.
  /// @param touched  owned nodes of elements that were touched, ascending
  /// @param dropped  elements that are not held here any more
  void take_in_cuts(const dist::Mesh& mesh, std::span<const LocalNode> touched, std::span<const GlobalElement> dropped);

  /// At the start, before the first step: what overlaps then is forgiven, and said in the log. Throws core::BadInput
  /// on all ranks where a tet lies almost wholly inside others, so that nothing says which way is out. Collective.
  void forgive_start(dist::Mesh& mesh);

  /// Pairs that overlap where `motion` has the nodes, ghosts included, as stiff as they are. Collective.
  void find(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion);
  /// The same where the mesh has them. Collective.
  void find(const dist::Mesh& mesh) { find(mesh, mesh.motion.span()); }
  /// The same at the beginning of a step, with the stiffness that the step bears (contact::kContactClass), and what is
  /// forgiven shrinks (contact::kForgivenOverlap). Returns the energy that changes of stiffness have put in, of tets
  /// whose home is here [J]. Collective.
  [[nodiscard]] core::ExactSum find_for_step(dist::Mesh& mesh);
  /// The same again after cuts: a tet that they touched presses no harder than before, whatever lies in its halves now.
  /// Returns the energy that the cuts took, likewise. Nothing where there were none since the last look. Collective.
  [[nodiscard]] core::ExactSum find_after_cuts(dist::Mesh& mesh);
  /// Of a run with several clocks, after these: what presses in short steps. Collective.
  void short_pressures(const dist::Mesh& mesh, contact::ShortPressures& pressures);
  [[nodiscard]] contact::DeformableContact& contact() { return contact_; }
  [[nodiscard]] const contact::DeformableContact& contact() const { return contact_; }

private:
  [[nodiscard]] bool nodes_count() const {
    return parameters_.criterion == contact::ContactCriterion::node_penetration;
  }
  /// Tells contact of those that are at the surface, and lets it forget the others. Collective.
  void put(const dist::Mesh& mesh, std::span<const LocalElement> elements);
  void add_changed_corners(const dist::Mesh& mesh, std::vector<LocalNode>& changed);  ///< collective
  [[nodiscard]] bool is_at_surface(const dist::Mesh& mesh, LocalElement e) const;
  /// What lies inside others at the start, by the volume that tets share: said in the log, an error if nothing says
  /// which way is out. Collective.
  void report_start(const dist::Mesh& mesh, std::span<const std::pair<GlobalElement, double>> shares) const;
  [[nodiscard]] double stiffness(const dist::Mesh& mesh, LocalElement e, int step_class) const;
  /// Looks at all pairs (`again`: no node has moved since) and keeps the fields of contact up to date; `forgive` says
  /// what of the share S/V₀ that others occupy is forgiven. Returns what changes of class have put in [J]. Collective.
  template <class Forgive>
  core::ExactSum find_and_remember(dist::Mesh& mesh, bool again, const Forgive& forgive);

  contact::DeformableParameters parameters_;
  contact::DeformableContact contact_;
  double cell_m_ = 0;                    ///< edge of the cells at rest by which tets are clustered
  std::vector<GlobalElement> pressing_;  ///< held tets that overlapped at the last step, ascending
  std::vector<GlobalElement> cut_;       ///< held tets around nodes that were touched since, in any order
  bool has_cuts_ = false;                ///< on any rank, since
  core::ExactSum stored_before_cuts_;    ///< of tets whose home was here [J]
  NodeField<std::int32_t> on_boundary_;  ///< 1 or 0, ghosts included
  NodeField<CornerDepth> corner_;        ///< where nodes count, ghosts included
};

}  // namespace brisance::sim
