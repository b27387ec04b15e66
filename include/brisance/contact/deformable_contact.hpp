/// Contact of deformable bodies with each other and with themselves: tets near the surface that overlap press each
/// other apart. Distributed: each rank finds the pairs of what it holds, with copies of what comes near from elsewhere.
#pragma once

#include "brisance/contact/node_penetration.hpp"
#include "brisance/contact/overlap_forces.hpp"
#include "brisance/contact/overlap_law.hpp"
#include "brisance/contact/parameters.hpp"
#include "brisance/contact/short_pressures.hpp"
#include "brisance/contact/tet_overlap.hpp"
#include "brisance/core/comm.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/core/ids.hpp"
#include "brisance/core/packed_lists.hpp"
#include "brisance/dist/element_block.hpp"
#include "brisance/la/partition.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace brisance::contact {

struct Box;

/// A tet that takes part, as a rank that holds it describes it.
struct SkinTet {
  GlobalElement id;
  std::array<GlobalNode, 4> node;
  std::array<std::int32_t, 4> slot;  ///< of its nodes here
  LocalElement element;              ///< its own slot here
  std::int64_t body = 0;             ///< which it belonged to before anything broke
  std::int64_t cluster = 0;          ///< of tets of its body near each other, which move alike for a while, likely
  bool is_home = false;              ///< this rank counts it, and tells others of it
  double volume = 0;                 ///< at rest, V₀ [m³]
  double mass = 0;                   ///< [kg]

  bool operator==(const SkinTet&) const = default;
};

/// Of the smaller tet at rest, what two may share without pressing, where volumes count (take_sliver_off) [–]. In
/// crushed places nine pairs in ten share less, all together half a hundredth of what is shared; two faces share that
/// much where they lie 3e-5 of an edge in each other.
inline constexpr double kSliverShare = 1e-4;

/// Of the smaller tet's edge: what a penalty should keep tets from [–].
inline constexpr double kDeepShare = 0.05;

/// What contact found at one moment, of one rank or of all (over_ranks).
struct DeformableReport {
  std::int64_t pairs = 0;   ///< of tets that overlap, counted by the home of the one with the lower id
  std::int64_t across = 0;  ///< of those, pairs whose other tet is not held here
  /// Volume of a pair's overlap over its area, no more than the edge of a regular tet of that volume (a tet inside
  /// another has no area), as a share of the smaller tet's edge likewise [–].
  double deepest = 0;
  Vec3 deepest_place = Vec3::Zero();  ///< the middle of what that pair shares [m]
  double deepest_edge_m = 0;          ///< of its smaller tet
  std::int64_t deep = 0;              ///< pairs that are deeper than kDeepShare
  std::int64_t candidates = 0;        ///< pairs that are kept in mind since they may touch soon
  double looked = 0;                  ///< work of looking at them since the start, in looks that find a gap
};

/// Counts of all ranks, and the deepest pair of all: of equals the one with the smaller tet, then the lower place,
/// whoever has it. `candidates` and `looked` stay this rank's. Collective.
[[nodiscard]] DeformableReport over_ranks(const core::Comm& comm, const DeformableReport& mine);

/// How a tet answers to what lies in it.
struct Pressing {
  double pressed = 0;  ///< share of it that it presses for, q [–]
  OverlapLaw law;
  std::int32_t step_class = 0;     ///< its own (dynamics/step_classes.hpp)
  double share = 0, forgiven = 0;  ///< S/V₀ and g, of which a line goes on from S/V₀ − g, be it negative
  double most = std::numeric_limits<double>::infinity();  ///< q that this line may have where it is taken up [–]

  [[nodiscard]] double pressure() const { return law.pressure(pressed); }  ///< [Pa]
};

/// Where a node is owned.
struct NodeAtOwner {
  std::int32_t owner, slot;  ///< rank; there
};

/// Tets that overlap lie in each other to S_A = Σ_B V(A ∩ B), the sum over all B that share no node with A, where V is
/// the volume less a sliver (kSliverShare). That is energy,
///
///   U = Σ_A V₀_A U/V₀(q_A),   q_A = max(0, S_A / V₀_A − g_A),   f = −Σ_B (p(q_A) + p(q_B)) ∂V(A ∩ B)/∂x
///
/// a pressure p that grows with the share of a tet that others occupy beyond what is forgiven, g, by its OverlapLaw (κ
/// q and U/V₀ = κ q²/2 for heavy tets), and forces that are the gradient of an energy (VALIDATION E5) and keep momentum
/// and angular momentum. Damping along the normal of the common area and Coulomb friction across it act at the centroid
/// of A ∩ B, on the corners by its barycentric coordinates, so they keep both too. What is freshly cut lies face to
/// face, overlaps nothing and is not loaded.
///
/// Where nodes count (ContactCriterion::node_penetration), V(A ∩ B) gives way to M, A's nodes in B (nodes_inside),
/// which is A's alone, S_A = Σ_B M(A in B), as M(B in A) is B's: the pair pushes with p_A ∂M(A in B) + p_B ∂M(B in A).
/// B's tets fill it, and a node in it is in one of them, so S_A goes on as a node passes from one to the next. All else
/// holds for both.
///
/// Whether a pair presses follows from positions alone: boxes, trees and what was found before only spare looks at
/// pairs that cannot. Pairs act on a node in ascending (lower id, higher id).
class DeformableContact {
public:
  /// A tet held here, and how much others lie in it, S [m³].
  struct Pressed {
    GlobalElement id;
    LocalElement element;
    double overlap, volume;
    double rate;     ///< of S, by the velocities that nodes have [m³/s]; nothing after find_again
    double deepest;  ///< the most that a pair shares, of its smaller tet [–]
    bool is_home;
  };
  /// The answer of a tet held here; asked once a moment for each that overlaps.
  using Law = std::function<Pressing(const Pressed&)>;
  /// Of a node held here, by its slot.
  using AtOwner = std::function<NodeAtOwner(std::int32_t slot)>;

  DeformableContact(const core::Comm& comm, const DeformableParameters& parameters);
  DeformableContact(DeformableContact&&) noexcept;
  DeformableContact& operator=(DeformableContact&&) noexcept;
  ~DeformableContact();

  /// Forgets all tets. Local.
  void clear();
  /// Takes in a tet that is new, or one that may have changed. Local.
  /// @param depths  where nodes count
  void put(const SkinTet& tet, std::span<const dist::NodeMotion> motion, const TetDepths& depths = {});
  /// Forgets a tet that is not held any more, or takes part no more. Local; nothing happens if it is not known.
  void remove(GlobalElement id);
  [[nodiscard]] bool holds(GlobalElement id) const;  ///< it was put, and not removed since

  /// All pairs that overlap where `motion` has the nodes, ghosts included. Collective.
  void find(std::span<const dist::NodeMotion> motion, const Law& law);
  /// The same where no node has moved since, only tets were put and removed: what they touch is looked at. The law is
  /// not asked where the pairs of all ranks are those that they were, unless any rank wants it `anew`. Returns whether
  /// it was, the same on all ranks. Collective.
  bool find_again(std::span<const dist::NodeMotion> motion, const Law& law, bool anew = true);
  /// Adds the forces of the pairs found to those of owned nodes [N].
  /// @param inverse_mass  by slot, positive for owned nodes alone [1/kg]
  /// Local; does not throw.
  void add_forces(std::span<const dist::NodeMotion> motion, std::span<const double> inverse_mass, double dt_s,
                  std::span<dist::NodeForce> forces);
  /// Adds what pressures alone, as far as they have not hardened, push owned nodes with, so many times [N]. Local.
  void add_soft_pressures(double times, std::span<const double> inverse_mass, std::span<dist::NodeForce> forces) const;
  /// In a step that has no look, of the pairs found last: they damp and rub by the velocities that `motion` has and
  /// these shares q [–], of tets held here in the order in which the law was asked; add_forces adds that alone.
  /// Collective.
  void follow(std::span<const dist::NodeMotion> motion, std::span<const double> pressed);
  /// Which pressures act in lines, of those found last: those in short steps, or `all`. add_forces is for their first
  /// kick then (ShortPressures::first_push). Collective.
  void short_pressures(const AtOwner& at_owner, ShortPressures& pressures, bool all = false,
                       const ShortPressures::MadeUpFor& since = {});
  /// Forces of the pairs found as an implicit step has them at its end, and rows of what they change by. Each row is a
  /// motion of the corners of some tets against each other, so that solutions keep momentum. A tet's own row is all of
  /// U's second derivative but for how areas change, of which a pair's normal row has a third to a half (kCurvature).
  /// Where a pair loses what its corners weigh in another way than the law, as where a damper would pull, its row is
  /// left out: what stays has no negative eigenvalue.
  /// @param inverse_mass  by slot, positive for owned nodes alone [1/kg]
  /// Local; does not throw.
  [[nodiscard]] OverlapForces end_forces(std::span<const dist::NodeMotion> motion, std::span<const double> inverse_mass,
                                         double dt_s, const PairLimits& limits) const;
  /// Energy stored in the pairs found, of the tets whose home is here [J]. Local.
  [[nodiscard]] core::ExactSum stored() const;
  /// What damping and friction of the last add_forces take over `dt_s`, of owned nodes, which moved on to `motion`
  /// since [J]. Local.
  [[nodiscard]] core::ExactSum dissipated(std::span<const dist::NodeMotion> motion, double dt_s) const;
  [[nodiscard]] DeformableReport report() const;
  /// Adds the work that tets held here have made since this was last asked, a quarter at each corner, in looks at a
  /// candidate; what a pair costs is shared by its two tets. Local.
  void take_effort(std::span<double> by_slot);
  /// Pairs that are looked at, for la::balanced_parts: a rank has to look at each of which it owns any corner, and
  /// needs to be shown what it does not hold. Each is known to one rank.
  /// @param number  of the rows of nodes held here, by slot; negative where there is none
  /// Collective.
  [[nodiscard]] std::vector<la::Link> links(std::span<const std::int64_t> number) const;
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  struct Cluster;
  struct Tet;
  struct Touching;
  struct TouchingGuest;
  struct GuestRecord;
  struct Guest;
  struct EndForces;
  /// Two tets that may come to touch before one of them looks around again. It is in the list of the one that looked
  /// around last, so that no list has to be searched when the other looks: what was found before a tet's own last look
  /// counts no more.
  struct Candidate {
    std::int32_t low = -1, high = -1;  ///< tets_, in ascending ids
    std::int32_t pair = 0;             ///< cluster_pairs_
    PartingPlane plane = 0;            ///< that parted them when last looked for, or bounds what they share
    std::uint8_t trust = 0;            ///< looks at it alone before the next search
    bool has_normal = false;           ///< a plane parted them: going along it does not bring them nearer
    /// From the one with the higher id to the other: the normal of that plane [–], or else the way between their
    /// middles, then [m].
    std::array<float, 3> apart{};
    float safe_until = kNeverSafe;  ///< they cannot press while no more than that is used up (slack) [m]
  };
  /// No plane is known to part them; they pressed when last looked at. A slack that happens to have the second number
  /// costs a cut and changes nothing.
  static constexpr float kNeverSafe = -1, kPressed = -2;
  /// Where a tet is, and how far it was bent and turned: no corner has moved more against the middle so far.
  struct Middle {
    Vec3 at = Vec3::Zero();  ///< [m]
    double bent = 0;         ///< [m]
  };
  /// Of a node, when last looked at.
  struct NodePath {
    Vec3 position = Vec3::Zero();  ///< [m]
    Vec3 moved = Vec3::Zero();     ///< in the last step [m]
  };
  /// A tet, its nodes and its volume at rest [m³], apart, since many are asked for these alone.
  struct Names {
    GlobalElement id;
    std::array<GlobalNode, 4> node;
    double volume = 0;
  };
  /// Two clusters, or one and itself.
  struct ClusterPair {
    std::int32_t a = 0, b = 0;            ///< clusters_; a ≤ b
    double drift = 0;                     ///< way of one's frame in the other's so far, while they are near [m]
    double renewed_at = 0, reach = 0;     ///< two clusters: of drift, when candidates were all sought, and how far [m]
    bool near = false;                    ///< they have candidates
    double way = 0;                       ///< no two of them have travelled farther together so far [m]
    std::int64_t look = 0;                ///< when all were sought; what was found before counts no more
    std::vector<Candidate> candidates{};  ///< found then
    double quiet_until = 0;               ///< till that way none of them can press [m]
  };
  struct Contact {
    std::int32_t a, b;                ///< tets; a has the lower id
    bool counts_for_a, counts_for_b;  ///< in their S: one of them where nodes count, that whose nodes they are
    TetOverlap overlap;
    std::array<double, 4> in_a, in_b;               ///< the centroid of what they share, by coordinates in both [–]
    std::int32_t touching_a = -1, touching_b = -1;  ///< touching_, once all are added up
    /// What both say of it together.
    [[nodiscard]] double sum(double of_a, double of_b) const {
      return (counts_for_a ? of_a : 0) + (counts_for_b ? of_b : 0);
    }
  };
  /// The order in which pairs act.
  struct ContactOrder {
    GlobalElement a, b;
    bool counts_for_b;  ///< of two that have the same tets, the one of a's nodes goes first
    std::int32_t contact;
    friend auto operator<=>(const ContactOrder& x, const ContactOrder& y) {
      return std::tuple(x.a, x.b, x.counts_for_b) <=> std::tuple(y.a, y.b, y.counts_for_b);
    }
  };
  /// Damping and friction on an owned node.
  struct Loss {
    std::int32_t slot;
    Vec3 force, velocity;  ///< [N]; before the step [m/s]
  };
  /// What damping and friction of a pair need beside velocities and pressures.
  struct Rub {
    static constexpr std::int32_t kGuest = -1, kFirstGhost = -2;
    std::int32_t a, b;                 ///< touching_
    bool counts_for_a, counts_for_b;   ///< as Contact has it
    std::array<std::int32_t, 8> node;  ///< of A, of B: losses_; kGuest; of ghosts kFirstGhost less their slot
    std::array<double, 8> weight;      ///< what they have of A's motion past B there: of B less than nothing [–]
    Vec3 normal;                       ///< out of A, into B
    double area;                       ///< [m²]
    double inertia, damper;            ///< the pair's share [kg]; [kg/s]
  };

  /// Around tets that a rank holds, where they are.
  struct BoxOfRank {
    std::array<double, 3> low, high;
    int rank;
    bool begins_anew = false, has_tets = true;  ///< forget those of that rank; it is a box, not a word alone
  };

  [[nodiscard]] Box box_of(std::int32_t tet) const;  ///< in its cluster's frame
  [[nodiscard]] std::int32_t new_tet();
  void drop(std::int32_t tet);
  void leave_cluster(std::int32_t tet);
  [[nodiscard]] Cluster& cluster_of(std::int32_t tet) const {
    return *clusters_[static_cast<std::size_t>(cluster_of_[static_cast<std::size_t>(tet)])];
  }
  [[nodiscard]] bool is_held(std::size_t tet) const { return corners_[tet][0] >= 0; }
  [[nodiscard]] double way_of(std::int32_t tet) const;  ///< what it may touch cannot have come nearer so far [m]
  [[nodiscard]] Vec3 position(std::int32_t tet, std::size_t corner, std::span<const dist::NodeMotion> motion) const;
  [[nodiscard]] Vec3 velocity(const Touching& tet, std::size_t corner, std::span<const dist::NodeMotion> motion) const;
  [[nodiscard]] bool have_moved(std::span<const dist::NodeMotion> motion) const;  ///< any since last looked at
  void enclose_changed(std::span<const dist::NodeMotion> motion);
  void forget_changed_contacts();
  void add_contact(const Candidate& candidate, bool counts_for_low, bool counts_for_high, const TetOverlap& overlap);
  void sort_contacts();  ///< contacts_, in the order in which they act
  /// Of what was found at `look`: tets or their clusters looked around later, and have it themselves.
  [[nodiscard]] bool counts_no_more(const Candidate& candidate, std::int64_t look) const;
  void pack_candidates();  ///< one behind another in memory, without those
  /// Those found at `look`, where no two have travelled farther than `way` so far, unless that is less than
  /// quiet_until, the way till which none of them can press. Of those that may press, forgets what counts no more.
  /// @return how many are left, the first of them
  std::size_t look_at(std::span<Candidate> candidates, std::int64_t look, double way, double& quiet_until,
                      std::span<const dist::NodeMotion> motion);
  void look_at_those_of(std::int32_t tet, std::span<const dist::NodeMotion> motion);  ///< found as it looked around
  /// Notes an overlap, or until when there can be none.
  void look_at(Candidate& candidate, std::span<const dist::NodeMotion> motion);
  /// Whether they share anything, by which they press unless it is a sliver.
  bool look_for_overlap(Candidate& candidate, const PlacedTet& a, const PlacedTet& b, double sliver);
  /// The same of nodes in each other, once no face's plane parts the two.
  void look_for_nodes(Candidate& candidate, const PlacedTet& a, const PlacedTet& b);
  void book(const Candidate& candidate, double looks);  ///< work, half for each of the two
  /// Notes what parts them, and till when.
  void part(Candidate& candidate, const Gap& gap, const PlacedTet& a, const PlacedTet& b) const;
  /// Till they may have come nearer by that [m]: in any direction, or to that plane.
  void leave_alone(Candidate& candidate, double room) const;
  void leave_alone(Candidate& candidate, const Gap& room, const PlacedTet& a, const PlacedTet& b) const;
  [[nodiscard]] double slack(const Candidate& candidate) const;  ///< that they may still come nearer [m]
  void ask_ahead_where_it_is(std::int32_t tet) const;
  const PlacedTet& placed(std::int32_t tet, std::span<const dist::NodeMotion> motion);
  enum class Rates : std::uint8_t { none, of_overlaps };
  bool look_again(std::span<const dist::NodeMotion> motion);  ///< whether pairs are others than before
  void add_up(const Law& law, std::span<const dist::NodeMotion> motion, Rates rates);
  [[nodiscard]] std::int32_t note_touching(std::int32_t tet);  ///< its touching_
  void add_rates(std::span<const dist::NodeMotion> motion);
  /// Takes off owned nodes' forces what tets press them with.
  /// @param pressure_of  a Touching
  template <class PressureOf>
  void push(const PressureOf& pressure_of, std::span<const double> inverse_mass,
            std::span<dist::NodeForce> forces) const;
  void find_rubs(std::span<const double> inverse_mass);
  void rub(std::span<const dist::NodeMotion> motion, double dt_s);  ///< losses_ of a step

  // clusters and their frames: deformable_clusters.cpp
  [[nodiscard]] std::int32_t number_of_cluster(std::int64_t id, std::int64_t body);
  [[nodiscard]] std::int32_t pair_of(std::int32_t cluster_a, std::int32_t cluster_b) const;
  void follow_nodes(std::span<const dist::NodeMotion> motion);
  [[nodiscard]] double travel_of(std::int32_t tet) const;  ///< in the last step, in its cluster's frame [m]
  void follow_frames();
  void put_boxes_in_order();
  /// `again`: nothing has moved since, but there may be tets where none were.
  void renew_cluster_pairs(bool again, std::span<const dist::NodeMotion> motion);
  void seek_all(ClusterPair& pair, std::span<const dist::NodeMotion> motion);

  // who may touch whom: deformable_candidates.cpp
  void enclose(std::int32_t tet, std::span<const dist::NodeMotion> motion);
  void keep_enclosed(std::int32_t tet, std::span<const dist::NodeMotion> motion);
  [[nodiscard]] Candidate candidate(std::int32_t a, std::int32_t b, std::int32_t pair) const;
  [[nodiscard]] bool share_a_node(std::int32_t a, std::int32_t b) const;
  /// How far the two may still come towards each other before one of them looks around [m].
  [[nodiscard]] double leeway(std::int32_t a, std::int32_t b, const ClusterPair& pair) const;
  /// Of met_, whose boxes meet that of the tet, and which it empties.
  void add_those_it_may_touch(std::int32_t tet, std::int32_t pair, std::vector<Candidate>& to,
                              std::span<const dist::NodeMotion> motion);
  void add_if_they_may_touch(std::int32_t a, std::int32_t b, std::int32_t pair, std::vector<Candidate>& to,
                             std::span<const dist::NodeMotion> motion);
  /// The same of one that it knows from its last look around: what parted them then does so still, less what is used
  /// up.
  void add_again_if_they_may_touch(std::int32_t a, std::int32_t b, std::int32_t pair, std::vector<Candidate>& to) const;
  /// Of the tet's candidates those that count still, in known_at_, or takes them out.
  void note_known(std::int32_t tet, bool are_known);
  void look_around_changed(std::span<const dist::NodeMotion> motion);  ///< each of to_look_around_, once
  void look_around(std::int32_t tet, std::span<const dist::NodeMotion> motion);

  // tets of other ranks: deformable_guests.cpp
  void exchange_guests(std::span<const dist::NodeMotion> motion);
  [[nodiscard]] bool is_shown(std::int32_t tet) const { return put_after_[static_cast<std::size_t>(tet)] >= 0; }
  /// By rank, ascending: all of them, or where nothing has moved those that may be new. Collective.
  [[nodiscard]] std::map<int, std::vector<std::int32_t>> tets_near_others(bool have_moved);
  [[nodiscard]] std::vector<BoxOfRank> boxes_to_tell(bool have_moved) const;
  [[nodiscard]] Box where_it_is(std::int32_t tet) const;  ///< its box, out of its cluster's frame
  void add_tets_in(std::span<const BoxOfRank> boxes, std::map<int, std::vector<std::int32_t>>& near);
  /// Brings shown_ up to date; what other ranks have to be told.
  [[nodiscard]] std::map<int, std::vector<std::byte>> show(const std::map<int, std::vector<std::int32_t>>& near,
                                                           std::span<const dist::NodeMotion> motion);
  void receive_guests(const std::map<int, std::vector<std::byte>>& outgoing);
  [[nodiscard]] bool is_guest(const Guest& guest) const;  ///< here, under its number
  void dismiss(const Guest& guest);
  void receive(Guest& guest, int home);  ///< a new one, or one that was held here and is not any more
  void move(const Guest& guest);
  void ask_for_touching();                                                ///< asking_, asked_
  [[nodiscard]] TouchingGuest& guest_asked_for(int rank, std::size_t i);  ///< the i-th of asking_
  [[nodiscard]] std::array<std::array<double, 3>, 4> velocities(const Touching& tet,
                                                                std::span<const dist::NodeMotion> motion) const;
  void exchange_velocities(std::span<const dist::NodeMotion> motion);
  void exchange_sums(std::span<const dist::NodeMotion> motion);  ///< and velocities
  /// Of each tet, by its number: the row of one of its nodes, negative where it is not known. Collective.
  [[nodiscard]] std::vector<std::int64_t> rows_of_tets(std::span<const std::int64_t> number) const;

  // several clocks: deformable_short.cpp
  void exchange_owners(const AtOwner& at_owner);
  /// What it adds to the row of `number` of touching_, one of the two.
  void add_to(ShortPressures& pressures, std::int32_t number, const Contact& contact);
  void exchange_rows(ShortPressures& here);

  core::Comm comm_;
  DeformableParameters parameters_;
  double damping_ratio_ = 0;  ///< that the restitution needs [–]
  std::vector<Tet> tets_;
  std::vector<std::array<std::int32_t, 4>> corners_;  ///< of tets_: slots of held ones, −1 of others
  std::vector<Middle> middles_;                       ///< of tets_
  std::vector<double> travelled_;            ///< of tets_, in the cluster's frame: no corner has moved more so far [m]
  std::vector<std::int64_t> looked_around_;  ///< of tets_: when, or when it went
  core::PackedLists<Candidate> candidates_;  ///< of tets_: found at their last look around
  std::vector<double> quiet_until_;          ///< of tets_: till that way none of them can press [m]
  std::vector<double> calm_until_;           ///< of tets_, of what they travelled: till then they stay in their box [m]
  /// Of tets_: corners in the cluster's frame when its box was made, and how far they may go from there [m].
  std::vector<std::array<Vec3, 4>> nests_;
  std::vector<double> margin_;
  static constexpr std::int64_t kNotShown = -1;
  std::vector<std::int64_t> put_after_;   ///< of tets_ at home here: after which exchange of guests; others kNotShown
  std::vector<double> effort_;            ///< of tets_, where there are other ranks: see take_effort
  std::vector<Names> names_;              ///< of tets_
  std::vector<std::int32_t> cluster_of_;  ///< of tets_: clusters_, −1 of unused ones
  std::vector<PlacedTet> placed_;         ///< of tets_, as of …
  std::vector<std::int64_t> placed_at_;   ///< … that moment
  std::vector<std::int32_t> unused_;      ///< of tets_
  std::unordered_map<GlobalElement, std::int32_t> number_of_;
  std::vector<std::unique_ptr<Cluster>> clusters_;
  std::unordered_map<std::int64_t, std::int32_t> number_of_cluster_;
  std::vector<ClusterPair> cluster_pairs_;    ///< (b, a ≤ b) in the order b (b + 1)/2 + a
  std::vector<std::int32_t> changed_;         ///< tets that were put since the last moment
  std::vector<std::int32_t> to_look_around_;  ///< tets with a new box
  std::vector<std::int32_t> met_;             ///< by the tet that looks around
  std::vector<std::int32_t> known_at_;        ///< of tets_: its candidates, or −1
  std::vector<Candidate> found_;              ///< as it does
  std::vector<std::int32_t> due_;             ///< of the candidates that are looked at
  std::vector<std::int32_t> num_tets_at_;     ///< by node slot
  std::vector<std::int32_t> cluster_at_;      ///< by node slot: clusters_, that of one of its tets
  std::vector<NodePath> paths_;               ///< by node slot
  // of the moment last looked at
  std::vector<Contact> contacts_;          ///< in the order in which they act, once sorted
  std::vector<Contact> unsorted_;          ///< as they are put in order
  std::vector<ContactOrder> order_;        ///< of contacts_, as many as are in order
  std::vector<Touching> touching_;         ///< tets with a pair
  std::vector<std::int32_t> touching_at_;  ///< of tets_: touching_, or −1
  std::vector<TouchingGuest> touching_guests_;
  bool lines_push_ = false;                         ///< all that presses does so in lines (follow)
  bool rubs_known_ = false;                         ///< rubs_ are of those pairs
  ShortPressures::MadeUpFor since_;                 ///< what the first kick makes up for
  std::vector<Rub> rubs_;                           ///< in the order in which pairs act; those that share an area
  std::vector<Loss> losses_;                        ///< of nodes that rubs_ have, each once
  std::vector<std::int32_t> loss_at_;               ///< by node slot: losses_, or −1
  std::vector<double> pressure_;                    ///< of touching_, in the last step [Pa]
  std::map<int, std::vector<std::int32_t>> shown_;  ///< by rank: tets that it has copies of, in the order of its guests
  std::map<int, std::vector<Guest>> guests_;        ///< by home
  /// By rank, of touching_: guests from there, and tets that it has asked for as such, in its order.
  std::map<int, std::vector<std::int32_t>> asking_, asked_;
  std::vector<BoxOfRank> boxes_of_ranks_;            ///< of all ranks
  std::vector<std::uint8_t> is_new_;                 ///< of tets_, while other ranks are shown some
  std::unordered_set<GlobalElement> held_here_too_;  ///< held tets that others show too, or did once
  bool guests_come_back_ = false;                    ///< some of these were removed here since guests were exchanged
  std::int64_t looks_ = 0;                           ///< of tets and pairs of clusters, one after another
  std::int64_t looks_at_contacts_ = 0;
  std::int64_t moment_ = 0, exchange_ = 0, exchange_moment_ = -1;
  double looked_ = 0;  ///< see DeformableReport
};

}  // namespace brisance::contact
