/// The mesh's side of contact between deformable bodies: which tets take part, through cuts and migrations.
#pragma once

#include "brisance/contact/deformable_contact.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/sim/skin_depths.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace brisance::sim {

/// How long ago pairs were looked at.
struct SinceLook {
  int steps = 1;  ///< explicit ones
  double time_s = 0;
};

/// What pressures that change linearly between two looks at pairs have missed.
struct LineError {
  core::ExactSum missed;  ///< Σ V₀ Δp²/2κ, of what pressures differ by from those found anew, of tets at home here [J]
  core::ExactSum stored;  ///< Σ V₀ p²/2κ, likewise
};

/// Names every element after the body it is part of (contact::kBody). Collective.
void note_bodies(dist::Mesh& mesh);

/// By volume contact knows the tets that have a face on the boundary, or three corners, and where these share much with
/// others (contact::kReach) those around, too: so tets count that have little of the surface, or lie below it,
/// once something comes to them. What is pushed past the middle of the tets at the surface is pushed on by these; those
/// below hold it up and press it out again. A tet that has begun to take part does so while it touches anything. What
/// others press with stays what it was when it begins, as after a cut. Where nodes count, the tets with a corner on the
/// boundary alone know how deep a node lies in them, and which way is out.
class SkinContacts {
public:
  SkinContacts(const dist::Mesh& mesh, const contact::DeformableParameters& parameters);

  /// Takes the whole mesh: at the start, and whenever nodes have new owners. Collective.
  void rebuild(const dist::Mesh& mesh);
  /// These have left the mesh, whole pieces of it, and slots of elements are what they were; the same on every rank
  /// that held one. Local.
  /// @param elements  ascending
  void remove(std::span<const GlobalElement> elements);
  /// After the cuts of a step. Collective.
  /// @param touched  owned nodes of elements that were touched, ascending
  /// @param dropped  elements that are not held here any more
  /// @param looked   pairs were looked at in this step; else what is known of them is of note_look's moment
  void take_in_cuts(dist::Mesh& mesh, std::span<const LocalNode> touched, std::span<const GlobalElement> dropped,
                    bool looked = true);

  /// At the start, before the first step: what overlaps then is forgiven, and said in the log. Throws core::BadInput
  /// on all ranks where a tet lies almost wholly inside others, so that nothing says which way is out. Collective.
  void forgive_start(dist::Mesh& mesh);

  /// Pairs that overlap where `motion` has the nodes, ghosts included, as stiff as they are. Collective.
  /// @param since  as in find_for_step
  void find(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, const SinceLook& since = {});
  /// The same where the mesh has them. Collective.
  void find(const dist::Mesh& mesh, const SinceLook& since = {}) { find(mesh, mesh.motion.span(), since); }
  /// Where nodes are is where pairs were looked at: so overlaps can be found again in steps that have no look
  /// (contact::kLookPosition). Local.
  void note_look(dist::Mesh& mesh);
  /// Pairs that overlap there, as their lines need them. Collective.
  void find_where_looked(dist::Mesh& mesh);
  /// The same after cuts: no line presses harder than its tet did before (kPressedShare) where it goes on. Returns
  /// false where pairs are as they were on all ranks, unless they are wanted `anew`: so are lines, then, but for what
  /// they may press at most. Collective.
  bool find_where_looked_after_cuts(dist::Mesh& mesh, bool anew);
  /// The same at the beginning of a step, with the stiffness that the step bears (contact::kContactClass), and what is
  /// forgiven shrinks (contact::kForgivenOverlap). Returns the energy that changes of stiffness have put in, of tets
  /// whose home is here [J]. Collective.
  /// @param since  the look before. Where that is several steps ago, a tet presses at most twice as hard as its line
  ///               says (kPressedShare), and no harder than what lines and the kick at the look have paid for; what
  ///               came there beyond that is forgiven, so that it puts no energy in (share_paid_for).
  /// @param error  of all lines, if it is asked for
  [[nodiscard]] core::ExactSum find_for_step(dist::Mesh& mesh, const SinceLook& since = {}, LineError* error = nullptr);
  /// The same again after cuts, or where other tets take part since: no tet presses harder than before, whatever lies
  /// in its halves or has come to the surface now.
  /// Returns the energy that the cuts took, likewise. Nothing where there were none since the last look. Collective.
  [[nodiscard]] core::ExactSum find_after_cuts(dist::Mesh& mesh);
  /// Energy of lines between two looks, of tets at home here, as the step before left them (kPressedShare) [J]. Local.
  [[nodiscard]] core::ExactSum stored_in_lines(const dist::Mesh& mesh) const;
  /// After these: what presses in short steps, or `all`, in lines. Collective.
  void short_pressures(const dist::Mesh& mesh, contact::ShortPressures& pressures, bool all,
                       const contact::ShortPressures::MadeUpFor& since);
  /// In a step that has no look: pairs that were found there damp and rub as nodes move now (add_forces). Collective.
  void follow(dist::Mesh& mesh);
  /// On any rank, since pairs were last found; also where other tets take part since.
  [[nodiscard]] bool has_cuts() const { return has_cuts_; }
  [[nodiscard]] std::size_t memory_bytes() const {
    return contact_.memory_bytes() +
           core::bytes_of(look_, asked_.element, asked_.step_class, pressing_, put_, on_boundary_, corner_, reached_);
  }
  [[nodiscard]] contact::DeformableContact& contact() { return contact_; }
  [[nodiscard]] const contact::DeformableContact& contact() const { return contact_; }

private:
  /// Tets that the law was asked for, in that order, with the classes of step that they had (dynamics::kStepClass).
  struct Asked {
    std::vector<LocalElement> element;
    std::vector<std::uint8_t> step_class;
  };
  [[nodiscard]] bool nodes_count() const {
    return parameters_.criterion == contact::ContactCriterion::node_penetration;
  }
  /// Tells contact of those that take part, and lets it forget the others. Collective.
  void put(const dist::Mesh& mesh, std::span<const LocalElement> elements, std::span<const dist::NodeMotion> motion);
  /// What `now` says of owned nodes, of all of the mesh, ghosts included. Collective.
  template <class Field, class Now>
  void note_all(const dist::Mesh& mesh, Field& field, const Now& now);
  /// The depths of corners of tets around nodes that changed; where they are news, or the node was touched, it has
  /// changed too. Collective.
  void note_depths_around(const dist::Mesh& mesh, std::span<const LocalNode> touched, std::vector<LocalNode>& changed);
  /// Whether a tet of these owned nodes shares much with another; their ghosts have changed too. Collective.
  void note_reached(const dist::Mesh& mesh, std::span<const LocalNode> nodes, std::vector<LocalNode>& changed);
  /// How far contact reaches into tets held here (contact::kReach) by the look that was just made, nothing into others:
  /// they and those around take part from now on, or no more. Collective.
  void reach(dist::Mesh& mesh, std::vector<std::pair<LocalElement, std::uint8_t>> now);
  /// Other tets take part from now on: what they press with is found again (find_after_cuts). Local.
  void begin_to_change();
  [[nodiscard]] contact::SkinTet described(const dist::Mesh& mesh, LocalElement e) const;
  [[nodiscard]] bool is_at_surface(const dist::Mesh& mesh, LocalElement e) const;
  [[nodiscard]] bool takes_part(const dist::Mesh& mesh, LocalElement e) const;
  /// What lies inside others at the start, by the volume that tets share: said in the log, an error if nothing says
  /// which way is out. Collective.
  void report_start(const dist::Mesh& mesh, std::span<const std::pair<GlobalElement, double>> shares) const;
  [[nodiscard]] contact::OverlapLaw law(const dist::Mesh& mesh, LocalElement e, int step_class) const;
  /// Of a tet that is pressed in by that share of its volume [J].
  [[nodiscard]] double energy(const dist::Mesh& mesh, LocalElement e, double share) const;
  /// Looks at all pairs (`again`: no node has moved since) and keeps the fields of contact up to date; `forgive` says
  /// what of the share S/V₀ that others occupy is forgiven. Returns what changes of class have put in [J]. Collective.
  /// `left` is told of those that press no more.
  template <class Left>
  void forget_others(dist::Mesh& mesh, std::vector<GlobalElement>& pressing, const Left& left);
  /// Whether anything may press otherwise though all pairs are as they were: a tet that the law was asked for has
  /// another class, or one was put since that pressed as another.
  [[nodiscard]] bool may_press_otherwise(const dist::Mesh& mesh) const;
  /// A tet presses now, as stiff as its class allows (contact::kContactClass).
  static void note_class(dist::Mesh& mesh, LocalElement e);
  /// Whether it pressed in a line since then: it does in steps of its own that are short.
  [[nodiscard]] static bool has_line(const dist::Mesh& mesh, LocalElement e, const SinceLook& since);
  /// Whether a look bounds what it presses for: after a single step what has hardened, which the kick does not pay for.
  [[nodiscard]] static bool is_bounded(const dist::Mesh& mesh, LocalElement e, double pressed, const SinceLook& since);
  /// How long the steps of a tet were, since then [s].
  [[nodiscard]] static double own_step(const dist::Mesh& mesh, LocalElement e, const SinceLook& since);
  /// What of the share that is pressed in it may press for at a look [–].
  [[nodiscard]] static double paid_for(const dist::Mesh& mesh, const contact::DeformableContact::Pressed& tet,
                                       const contact::OverlapLaw& law, double pressed, const SinceLook& since);
  /// How a tet answers in steps that have no look.
  [[nodiscard]] contact::Pressing in_line(const dist::Mesh& mesh, const contact::DeformableContact::Pressed& tet);
  template <class Forgive, class Left>
  core::ExactSum find_and_remember(dist::Mesh& mesh, bool again, const Forgive& forgive, const Left& left);

  contact::DeformableParameters parameters_;
  contact::DeformableContact contact_;
  double cell_m_ = 0;                    ///< edge of the cells at rest by which tets are clustered
  std::vector<GlobalElement> pressing_;  ///< held tets that overlapped at the last step, ascending
  bool has_cuts_ = false;                ///< on any rank, since
  std::vector<GlobalElement> put_;       ///< tets put since whose fields say that they press
  Asked asked_;
  bool is_remembered_ = false;           ///< what contact_ knows of pairs is what fields were left with
  std::vector<dist::NodeMotion> look_;   ///< by node slot, as of note_look
  bool is_of_look_ = false;              ///< what contact_ knows of pairs is of there
  core::ExactSum stored_before_cuts_;    ///< of tets whose home was here [J]
  NodeField<std::int32_t> on_boundary_;  ///< 1 or 0, ghosts included
  NodeField<CornerDepth> corner_;        ///< where nodes count, ghosts included
  NodeField<std::int32_t> reached_;      ///< where volumes do: a tet with this node shares much; likewise
};

}  // namespace brisance::sim
