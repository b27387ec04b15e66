/// Several clocks (dynamics/step_classes.hpp) in a run: the coarse step kicks all nodes, each element for the length of
/// its own step; then the few nodes of fine elements, which that has taken too far, go back and take their short ones.
/// What is here follows from the mesh and its step classes, or lives within a step.
#pragma once

#include "brisance/contact/short_pressures.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/halo.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/step_classes.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::sim {

/// What acts on single nodes at each of their short steps, beside their elements. Entries are numbered; a node may have
/// several, which act in their order.
class ForcesOnNodes {
public:
  struct Entry {
    std::int32_t slot;
    Vec3 first;  ///< what it adds to the forces of the first kick [N]
  };
  struct Moment {
    const dist::NodeMotion& motion;
    Vec3 expected_velocity;  ///< after the step, by the forces of all others [m/s]
    double elapsed;          ///< since the coarse step began, a share of it
    double step_s;           ///< the node's own [s]
  };
  ForcesOnNodes() = default;
  ForcesOnNodes(const ForcesOnNodes&) = delete;
  ForcesOnNodes& operator=(const ForcesOnNodes&) = delete;
  virtual ~ForcesOnNodes() = default;
  virtual Vec3 force(std::size_t entry, const Moment& moment) = 0;  ///< [N]
  /// The step with this force has been taken.
  virtual void taken(std::size_t entry, const Vec3& velocity, double step_s) = 0;
};

class FineSteps {
public:
  /// Classes, or what carries them, have changed: gather() starts afresh.
  void forget() { stale_ = true; }

  /// Lists the fine elements, kStepClass, and their nodes; nothing where nothing has changed. `finest_class` is the
  /// finest of any rank. Collective.
  void gather(const dist::Mesh& mesh, int finest_class);
  /// To be filled where pairs of tets that touch were looked at, and taken then.
  [[nodiscard]] contact::ShortPressures& pressures() { return pressures_; }
  /// After gather(): pressures of tets on each other, which act on their nodes as elements do, from now on until others
  /// are taken. Collective.
  /// @param since  the coarse steps that contact::kPushAtEnd is of, and the first kick makes up for
  ///               (ShortPressures::first_push); none: they go on as they were
  void take(const dist::Mesh& mesh, const contact::ShortPressures::MadeUpFor& since);
  /// The same of those that were taken last, where elements and nodes have other classes but no pair has changed: none
  /// presses harder than at the end of the step before. Only where a step has ended with them (have_ended()).
  void take_again(const dist::Mesh& mesh, const contact::ShortPressures::MadeUpFor& since);
  [[nodiscard]] bool have_ended() const { return have_ended_; }
  /// After take() in a step that has no look: lines from there to where nodes are now. What a line presses beyond
  /// ShortPressures::Row::most is forgiven (contact::kForgivenOverlap). Collective.
  void go_on(dist::Mesh& mesh);
  /// In a step that has no look: adds what lines push owned nodes with at the first kick [N]. Local.
  void add_pressures(std::span<dist::NodeForce> forces);
  /// Leaves what pressures push with now in contact::kPushAtEnd, as of so many steps. Local.
  void leave_push(dist::Mesh& mesh, int steps);
  /// Energy of the lines of tets at home here, where nodes are now [J]. Local.
  [[nodiscard]] core::ExactSum stored() const;
  void drop_pressures();  ///< there are none, and no fine elements; local
  /// Nothing has to be taken: lines go on from the last look (contact::kLookPosition) as they were taken.
  [[nodiscard]] bool know_pressures() const { return !stale_ && has_pressures_; }

  /// Turns forces into what the first kick takes for forces: of an element of class k a share of 2⁻ᵏ, so that a kick of
  /// the coarse step's length is one of its own. Other nodes keep theirs. `others`: what else is in the forces of owned
  /// nodes that moves() says yes to, and will act anew at each of their steps. Collective.
  void begin(const dist::Mesh& mesh, double coarse_s, std::span<dist::NodeForce> forces,
             const dynamics::ForceOptions& options, std::span<const ForcesOnNodes::Entry> others);

  /// A gripped node: components of its velocity that stay what the first kick and the grip made of them.
  struct HeldNode {
    std::int32_t slot;
    std::array<bool, 3> axes;
  };
  /// What fine kicks add to; viscous empty: no account is kept [J].
  struct Accounts {
    std::span<double> viscous, supplied;
  };
  /// After the first kick: all other steps of the fine nodes, to the end of the coarse one. Fine elements flow in each
  /// of theirs. Leaves in `forces` what the last kicks were made of, in the way of begin(). Collective.
  void run(dist::Mesh& mesh, std::span<dist::NodeForce> forces, std::span<const HeldNode> held,
           const Accounts& accounts, ForcesOnNodes& others);

  /// After all nodes have moved: leaves what pressures push with now in contact::kPushAtEnd and their shares in
  /// contact::kPressedShare, and how fast these changed in contact::kPressedRate. Collective.
  /// @param steps  coarse ones since pairs were looked at, this one included
  void finish(dist::Mesh& mesh, std::span<dist::NodeForce> forces, int steps);

  [[nodiscard]] bool any() const { return !classes_.empty(); }
  [[nodiscard]] bool moves(LocalNode n) const {
    return any() && fine_[static_cast<std::size_t>(nodes_.number_if_any(n.value))].step_class > 0;
  }
  /// Updates of fine elements so far, beyond those of the coarse steps.
  [[nodiscard]] std::int64_t element_updates() const { return element_updates_; }

  [[nodiscard]] std::size_t memory_bytes() const;

private:
  /// A pressure, for a share of a tet that changes linearly.
  struct Pressure {
    contact::ShortPressures::Row line;  ///< its terms are those of terms_
    std::int32_t row;                   ///< of pressures_
    /// q there, where motion_ had the nodes when last asked (is_now_), and at the first kick of the step [–].
    double at_look, now, at_kick;
    double change;         ///< by which now differs from when it was asked before [–]
    LocalElement element;  ///< the tet, where it is held …
    bool is_home;          ///< … and counted
  };
  struct PressureTerm {
    std::int32_t number;
    Vec3 gradient;
  };
  struct FineClass {
    std::vector<std::int32_t> slots;  ///< of elements of this class, ascending
    dynamics::PackedElements elements;
    std::vector<std::int32_t> nodes;  ///< numbers of owned ones, this being their finest class
    std::vector<Pressure> pressures;  ///< ascending tet
  };
  /// What the short steps of a node need, beside what elements load and add to.
  struct FineNode {
    Vec3 start;  ///< where it was when the coarse step began [m]
    Vec3 look;   ///< … when pairs were looked at [m]
    double mass, inverse_mass;
    double viscous, supplied;  ///< accounts [J]
    std::array<bool, 3> held;
    bool is_owned;
    std::int8_t step_class;     ///< of an owned node; its finest, 0 if it has none
    std::int8_t element_class;  ///< the same, by its elements alone
  };
  void kick(std::span<const material::Material> materials, int k, bool last);
  void list_nodes(const dist::Mesh& mesh);
  [[nodiscard]] std::span<const PressureTerm> terms_of(const Pressure& pressure) const;
  [[nodiscard]] double now(const Pressure& pressure) const;  ///< q where motion_ has the nodes [–]
  /// Adds what a pressure p pushes with, −p ∂S/∂x.
  void press(const Pressure& pressure, double p, std::span<dist::NodeForce> to) const;
  /// Notes where nodes were at the look: there where they are now, or of contact::kLookPosition. Collective.
  void note_look(const dist::Mesh& mesh, bool is_now);
  void find_pressures();  ///< Pressure::now and change. Collective.
  [[nodiscard]] std::span<Pressure> pressures_of(int step_class) {
    return step_class == 0 ? coarse_pressures_ : classes_[static_cast<std::size_t>(step_class) - 1].pressures;
  }
  [[nodiscard]] std::span<const Pressure> pressures_of(int step_class) const {
    return step_class == 0 ? coarse_pressures_ : classes_[static_cast<std::size_t>(step_class) - 1].pressures;
  }
  /// Of a pressure, over the coarse step, at its first kick [Pa].
  [[nodiscard]] double first_push(const Pressure& pressure) const {
    const contact::ShortPressures::Row& line = pressure.line;
    if (since_.steps > 0)
      return contact::ShortPressures::first_push(line.law, pressure.at_kick, line.step_class, since_);
    return std::ldexp(line.law.pressure(pressure.at_kick), -line.step_class);
  }
  void push(int k, double elapsed, bool last, ForcesOnNodes& others);
  void move(int k);

  bool stale_ = true;
  std::vector<FineClass> classes_;          ///< 1, 2, …
  std::vector<Pressure> coarse_pressures_;  ///< those that act once a coarse step; ascending tet
  std::vector<std::int32_t> coarse_nodes_;  ///< numbers of owned nodes that have only these
  bool has_pressures_ = false;              ///< take() was asked
  bool has_look_ = false;                   ///< FineNode::look is known
  bool is_now_ = false;                     ///< Pressure::now is of where nodes are
  bool is_listed_ = false;                  ///< list_nodes() knows all nodes
  std::size_t num_of_elements_ = 1;         ///< of nodes_: those of elements
  contact::ShortPressures pressures_;       ///< as they were filled, and forgiven since
  std::vector<double> at_end_;              ///< of their rows: q when a step ended last [–]
  bool have_ended_ = false;                 ///< since they were taken one has
  std::vector<PressureTerm> terms_;
  std::vector<dist::GhostLink> elsewhere_;  ///< nodes that are not held here; slots beyond the mesh's
  // By number; all of fine nodes lies close together, where slots would have it all over the memory.
  dynamics::FewNodes nodes_;
  std::vector<FineNode> fine_;
  core::AlignedVector<dist::NodeMotion> motion_;
  // Forces, those of class k counting 2⁻ᵏ: what kicks are over the coarse step.
  core::AlignedVector<dist::NodeForce> part_;  ///< of one class
  core::AlignedVector<dist::NodeForce> kick_;  ///< to come
  core::AlignedVector<dist::NodeForce> last_;  ///< of the last steps of all classes
  std::vector<dist::Halo> halos_;              ///< of motion_: of all, and of nodes of class 2 and finer, 3 …
  std::vector<std::int32_t> others_;           ///< numbers of the nodes that others act on, by entry
  dynamics::ForceOptions options_;
  double coarse_s_ = 0;
  contact::ShortPressures::MadeUpFor since_{.steps = 0};  ///< of take(), until the step ends
  std::int64_t element_updates_ = 0;
};

}  // namespace brisance::sim
