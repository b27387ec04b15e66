// Stages: intersecting boxes of pieces, intersecting boxes of their tets, common volume.
#include "brisance/contact/overlap/piece_overlaps.hpp"

#include "brisance/contact/overlap/tet_overlap.hpp"

#include "contact/overlap/covered_volume.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

namespace brisance::contact {

namespace {

struct PieceBox {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = -low;

  void add(const Vec3& x) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  [[nodiscard]] btDbvtVolume volume() const {
    return btDbvtVolume::FromMM(btVector3(low.x(), low.y(), low.z()), btVector3(high.x(), high.y(), high.z()));
  }
};

/// Calls `report` with the numbers of two leaves.
template <class Report>
struct Visitor : btDbvt::ICollide {
  explicit Visitor(const Report& to) : report(to) {}
  void Process(const btDbvtNode* a, const btDbvtNode* b) override { report(a->dataAsInt, b->dataAsInt); }
  const Report& report;
};

template <class Report>
void each_meeting(btDbvt& a, btDbvt& b, const Report& report) {
  Visitor<Report> visitor(report);
  a.collideTT(a.m_root, b.m_root, visitor);
}

void add_leaf(btDbvt& tree, const PieceBox& box, std::int32_t number) {
  tree.insert(box.volume(), nullptr)->dataAsInt = number;
}

/// Two tets that overlap, and the volume of their common part [m³].
struct Meeting {
  std::int32_t t, u;
  double volume;
};

class Search {
public:
  explicit Search(const PieceTets& tets) : tets_(tets), trees_(tets.body_of_piece.size()) {
    result_.piece_volume.assign(tets.body_of_piece.size(), 0);
    for (const std::int32_t body : tets.body_of_piece)
      if (static_cast<std::size_t>(body) >= result_.body_volume.size())
        result_.body_volume.resize(static_cast<std::size_t>(body) + 1, 0);
    place();
    count();
  }

  PieceOverlaps run() {
    btDbvt whole;
    for (std::size_t p = 0; p < boxes_.size(); ++p)
      if (trees_[p]) add_leaf(whole, boxes_[p], static_cast<std::int32_t>(p));
    std::vector<std::pair<std::int32_t, std::int32_t>> near;
    if (whole.m_root != nullptr)
      each_meeting(whole, whole, [&](std::int32_t p, std::int32_t q) {
        if (p != q) near.emplace_back(std::min(p, q), std::max(p, q));
      });
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    result_.near_pieces = static_cast<std::int64_t>(near.size());
    for (const auto& [p, q] : near) intersect_pieces(p, q);
    add_up_bodies();
    return std::move(result_);
  }

private:
  void place() {
    boxes_.resize(trees_.size());
    placed_.reserve(tets_.tets.size());
    for (std::size_t t = 0; t < tets_.tets.size(); ++t) {
      std::array<Vec3, 4> corner;
      PieceBox box;
      for (std::size_t k = 0; k < 4; ++k) {
        corner[k] = tets_.position[static_cast<std::size_t>(tets_.tets[t][k])];
        box.add(corner[k]);
      }
      placed_.push_back(placed_tet(corner));
      if (!(placed_.back().volume > 0)) {
        ++result_.num_inverted;
        continue;
      }
      const auto p = static_cast<std::size_t>(tets_.piece[t]);
      if (!trees_[p]) trees_[p] = std::make_unique<btDbvt>();
      add_leaf(*trees_[p], box, static_cast<std::int32_t>(t));
      boxes_[p].add(box.low);
      boxes_[p].add(box.high);
      result_.piece_volume[p] += placed_.back().volume;
      result_.body_volume[static_cast<std::size_t>(tets_.body_of_piece[p])] += placed_.back().volume;
    }
  }

  void count() {
    const auto positive = [](const std::vector<double>& v) {
      return std::count_if(v.begin(), v.end(), [](double x) { return x > 0; });
    };
    result_.num_pieces = positive(result_.piece_volume);
    result_.num_bodies = positive(result_.body_volume);
  }

  void intersect_pieces(std::int32_t p, std::int32_t q) {
    PieceOverlap found{.a = p, .b = q};
    // The order of the sum is that of the tets, not of the trees.
    std::vector<std::pair<std::int32_t, std::int32_t>> near;
    each_meeting(*trees_[static_cast<std::size_t>(p)], *trees_[static_cast<std::size_t>(q)],
                 [&](std::int32_t t, std::int32_t u) { near.emplace_back(t, u); });
    std::sort(near.begin(), near.end());
    std::vector<Meeting> meetings;
    for (const auto& [t, u] : near) intersect_tets(t, u, meetings);
    if (meetings.empty()) return;
    fill(meetings, result_.piece_volume, found);
    result_.pieces.push_back(found);
    add_to_bodies(p, q, meetings);
  }

  /// Kept for the bodies: a volume in several pieces of the other body counts once there.
  void add_to_bodies(std::int32_t p, std::int32_t q, std::vector<Meeting>& meetings) {
    std::int32_t a = tets_.body_of_piece[static_cast<std::size_t>(p)],
                 b = tets_.body_of_piece[static_cast<std::size_t>(q)];
    if (a == b) return;
    if (a > b) {
      std::swap(a, b);
      for (Meeting& m : meetings) std::swap(m.t, m.u);
    }
    std::vector<Meeting>& all = of_bodies_[{a, b}];
    all.insert(all.end(), meetings.begin(), meetings.end());
  }

  /// Volume and share of a pair of pieces or bodies with these volumes. `t` of the meetings are tets of found.a.
  void fill(std::vector<Meeting> meetings, const std::vector<double>& volumes, PieceOverlap& found) const {
    const double a = volumes[static_cast<std::size_t>(found.a)], b = volumes[static_cast<std::size_t>(found.b)];
    if (b < a)
      for (Meeting& m : meetings) std::swap(m.t, m.u);
    found.tet_pairs = std::ssize(meetings);
    found.volume = covered(meetings);
    found.share = std::min(found.volume / std::min(a, b), 1.0);
  }

  /// Volume of the tets `t`, each in the union of its partners [m³].
  [[nodiscard]] double covered(std::vector<Meeting>& meetings) const {
    std::ranges::sort(meetings, {}, [](const Meeting& m) { return std::pair(m.t, m.u); });
    double sum = 0;
    std::vector<OverlappingTet> others;
    for (std::size_t i = 0; i < meetings.size();) {
      const std::int32_t t = meetings[i].t;
      others.clear();
      for (; i < meetings.size() && meetings[i].t == t; ++i)
        others.push_back({&placed_[static_cast<std::size_t>(meetings[i].u)], meetings[i].volume});
      sum += covered_volume(placed_[static_cast<std::size_t>(t)], others);
    }
    return sum;
  }

  void intersect_tets(std::int32_t t, std::int32_t u, std::vector<Meeting>& meetings) {
    for (const std::int32_t node : tets_.tets[static_cast<std::size_t>(t)])
      for (const std::int32_t other : tets_.tets[static_cast<std::size_t>(u)])
        if (node == other) return;
    const PlacedTet &a = placed_[static_cast<std::size_t>(t)], &b = placed_[static_cast<std::size_t>(u)];
    const TetOverlap overlap = tet_overlap(a, b);
    if (!(overlap.volume > 0)) return;
    meetings.push_back({t, u, overlap.volume});
    const double depth = overlap.depth(), smaller = std::min(a.volume, b.volume);
    const TetPairOverlap pair{t, u, depth, depth / regular_edge(smaller), overlap.volume / smaller};
    if (pair.depth_share > result_.deepest.depth_share) result_.deepest = pair;
    result_.largest_volume_share = std::max(result_.largest_volume_share, pair.volume_share);
    if (pair.volume_share > 0.5) ++result_.num_inside;
  }

  /// Counts bodies whose boxes intersect, and the overlaps of their pieces.
  void add_up_bodies() {
    std::vector<PieceBox> boxes(result_.body_volume.size());
    for (std::size_t p = 0; p < boxes_.size(); ++p) {
      if (!trees_[p]) continue;
      boxes[static_cast<std::size_t>(tets_.body_of_piece[p])].add(boxes_[p].low);
      boxes[static_cast<std::size_t>(tets_.body_of_piece[p])].add(boxes_[p].high);
    }
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (std::size_t j = i + 1; j < boxes.size(); ++j)
        if ((boxes[i].low.array() <= boxes[j].high.array()).all() &&
            (boxes[j].low.array() <= boxes[i].high.array()).all())
          ++result_.near_bodies;
    for (const auto& [pair, meetings] : of_bodies_) {
      PieceOverlap found{.a = pair.first, .b = pair.second};
      fill(meetings, result_.body_volume, found);
      result_.bodies.push_back(found);
    }
  }

  const PieceTets& tets_;
  std::vector<std::unique_ptr<btDbvt>> trees_;  ///< for each piece: its tets
  std::vector<PieceBox> boxes_;                 ///< one for each piece
  std::vector<PlacedTet> placed_;               ///< one for each tet
  /// By pair of bodies, the lower number first.
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<Meeting>> of_bodies_;
  PieceOverlaps result_;
};

}  // namespace

PieceOverlaps piece_overlaps(const PieceTets& tets) { return Search(tets).run(); }

}  // namespace brisance::contact
