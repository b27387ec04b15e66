/// What DeformableContact knows of each tet and of each cluster, and their boxes.
#pragma once

#include "brisance/contact/deformable_contact.hpp"

#include "box_list.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace brisance::contact {

/// Steps that a box and the candidates of two clusters should last.
inline constexpr double kLife = 24;
/// Share of a gap that its two sides may use up before it is looked at again, so that what is left is far above
/// rounding.
inline constexpr double kGapShare = 0.9;

struct DeformableContact::Tet {
  SkinTet skin;
  std::int32_t place = -1;  ///< of its box among the cluster's
  bool guest = false;
  std::int32_t home = 0;              ///< guests: its rank
  std::array<Vec3, 4> position = {};  ///< guests
  std::unique_ptr<TetDepths> depths;  ///< where nodes count
};

/// What is known of a tet while it has a pair, by itself: those that touch are few among all, and asked in each step.
struct DeformableContact::Touching {
  std::int32_t tet;  ///< tets_
  GlobalElement id;
  LocalElement element;              ///< of those held here
  std::array<std::int32_t, 4> slot;  ///< likewise
  bool guest, is_home;               ///< not held here; its home is here
  double volume, mass;               ///< [m³]; [kg]
  std::int32_t touching_guest = -1;  ///< of guests: touching_guests_
  std::int32_t num_pairs = 0;        ///< as its home knows them
  std::int32_t kick_class = 0;       ///< it pushes every 2⁻ᵏ of a coarse step
  std::int32_t step_class = 0;       ///< the finest of its own and of what lies in it
  std::int32_t row = -1;             ///< among the pressures in short steps
  std::int32_t own_entries = 0;      ///< of that row: where its own corners begin
  double sum = 0, rate = 0;          ///< of S [m³]; [m³/s]
  double deepest = 0;                ///< as Pressed has it [–]
  Pressing pressing{};
};

/// What its home says of a guest that touches something here.
struct DeformableContact::TouchingGuest {
  std::array<Vec3, 4> velocity{};
  std::array<NodeAtOwner, 4> at_owner{};
};

inline Vec3 DeformableContact::velocity(const Touching& tet, std::size_t corner,
                                        std::span<const dist::NodeMotion> motion) const {
  if (tet.guest) return touching_guests_[static_cast<std::size_t>(tet.touching_guest)].velocity[corner];
  const double* v = motion[static_cast<std::size_t>(tet.slot[corner])].velocity;
  return {v[0], v[1], v[2]};
}

inline double DeformableContact::slack(const Candidate& candidate) const {
  const Middle &low = middles_[static_cast<std::size_t>(candidate.low)],
               &high = middles_[static_cast<std::size_t>(candidate.high)];
  const Vec3 vector(candidate.apart[0], candidate.apart[1], candidate.apart[2]), apart = low.at - high.at;
  const double nearer = candidate.has_normal ? -vector.dot(apart) : (apart - vector).norm();
  return candidate.safe_until - low.bent - high.bent - nearer;
}

/// A tet as its home shows it.
struct DeformableContact::GuestRecord {
  GlobalElement id;
  std::array<GlobalNode, 4> node;
  std::int64_t body, cluster;
  double volume, mass;
  std::array<std::array<double, 3>, 4> position;
};

/// What another rank shows; not every one is a guest, since it may be held here as well.
struct DeformableContact::Guest {
  GuestRecord record;
  std::shared_ptr<const TetDepths> depths;  ///< where nodes count
  std::int32_t number = -1;                 ///< tets_, when last looked
};

/// Boxes around the tets of a cluster, larger than they are so that they last a while, seen from a frame that follows
/// the cluster's nodes.
struct DeformableContact::Cluster {
  std::int64_t body = 0;
  BoxList held, guests;                                  ///< in the frame
  std::optional<Box> all_held{}, all_guests{};           ///< around these, where they are
  Vec3 frame = Vec3::Zero();                             ///< where it is [m]
  Vec3 drift = Vec3::Zero(), last_drift = Vec3::Zero();  ///< what it moves next, what it moved last [m]
  double held_travel = 0, guest_travel = 0;              ///< no such tet moved more in the last step, in the frame [m]
  double way = 0;   ///< nothing that it may touch, itself too, has travelled farther in its frame so far [m]
  double size = 0;  ///< of boxes, about [m]
  Vec3 moved = Vec3::Zero(), guests_moved = Vec3::Zero();  ///< sums over nodes, over guests, in the last step [m]
  std::int64_t num_nodes = 0, num_guests = 0;
  std::vector<std::int32_t> near{};  ///< other clusters_ whose pair with it is near
  bool has_changed = true;           ///< any box, since pairs were last renewed

  void begin_step();
  void follow_its_nodes();
  void follow_guests_if_alone();
  [[nodiscard]] double pace() const { return std::max(held_travel, guest_travel); }
  [[nodiscard]] bool is_near(const Cluster& other, double reach) const;
  void set_near(std::int32_t other, bool is);

  [[nodiscard]] BoxList& boxes(bool guest) { return guest ? guests : held; }
  void enclose_all();
};

}  // namespace brisance::contact
