#include "crack_sides.hpp"

#include "crack_front.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include <Eigen/Cholesky>

namespace brisance::fracture {

namespace {

using elements::kTetEdges;

/// A vertex closer to the plane than this share of its distance is on it, whatever the rounding.
constexpr double kOnPlane = 1e-9;

/// The normals of the old and the new plane are averaged within this cosine.
constexpr double kLeastCosine = 0.5;

/// Weight with which the plane turns to hold the points of the front, in the spread of these over the mean squared
/// length of the edges.
constexpr double kFit = 100;

/// The old crack where it ends at the node.
struct OldFront {
  std::map<GlobalNode, int> side;  ///< of vertices: 1 with the node, −1 across
  Vec3 sum = Vec3::Zero();         ///< of the points where it cuts edges, from the node [m]
  Mat3 spread = Mat3::Zero();      ///< Σ p pᵀ of the same [m²]
  Vec3 area = Vec3::Zero();        ///< of its last faces, away from the node's side [m²]
  int num_points = 0;

  void note(GlobalNode vertex, int on) {
    int& known = side.try_emplace(vertex, on).first->second;
    known = std::min(known, on);  // across prevails
  }
};

class CrackPlanner {
public:
  CrackPlanner(const dist::Mesh& mesh, std::span<const StarTet> star, LocalNode node, const Parameters& parameters)
      : mesh_(mesh), star_(star), node_(node), parameters_(parameters), faces_(faces_between(star)) {
    for (int t = 0; t < static_cast<int>(star.size()); ++t)
      for (int block = 0; block < 4; ++block)
        if (const LocalElement e = star[at(t)].copy[at(block)]; e.valid() && mesh.corner(e, star[at(t)].at) == node)
          copies_.push_back({t, block});
    for (const Copy& copy : copies_)
      for (int i = 0; i < 4; ++i)
        if (tet(copy).block_of(i) == copy.block && i != tet(copy).at) link_.push_back(tet(copy).vertex[at(i)]);
    std::sort(link_.begin(), link_.end());
    link_.erase(std::unique(link_.begin(), link_.end()), link_.end());
  }

  CrackSides plan(Vec3 normal) {
    CrackSides result;
    OldFront front = old_front();
    result.is_at_front = front.num_points > 0;
    if (parameters_.suppress_back_cracking) keep_sides_behind(front);
    normal = continued(front, normal);
    const double shift = front.num_points > 0 ? front.sum.dot(normal) / front.num_points : 0;
    choose_sides(front, normal, shift);
    for (const Copy& copy : copies_) split(copy, result);
    return result;
  }

private:
  struct Copy {
    int tet, block;
  };
  struct Quad {  ///< the crack face across an edge of a tet
    int tet, edge;
    friend bool operator==(const Quad&, const Quad&) = default;
  };
  [[nodiscard]] const StarTet& tet(const Copy& copy) const { return star_[at(copy.tet)]; }
  [[nodiscard]] Vec3 arm(LocalNode corner) const {
    return Vec3(mesh_.motion[corner].position) - Vec3(mesh_.motion[node_].position);
  }
  [[nodiscard]] Vec3 arm(GlobalNode of_link) const { return arm(mesh_.find(of_link)); }

  OldFront old_front() const {
    OldFront front;
    if (!dist::is_real(mesh_, node_)) return front;
    for (const StarFace& face : faces_) {
      if (!is_front_face(star_, face)) continue;
      add_front(front, face.a, face.opposite_a);
      add_front(front, face.b, face.opposite_b);
    }
    if (front.num_points == 0) return front;
    for (const int t : sheet_behind()) {
      const StarTet& tet = star_[at(t)];
      for (int i = 0; i < 4; ++i)
        if (i != tet.at) front.note(tet.vertex[at(i)], tet.block_of(i) == tet.block_of(tet.at) ? 1 : -1);
    }
    return front;
  }

  /// Adds the tet at a front face in which the face is divided.
  void add_front(OldFront& front, int t, int opposite) const {
    const StarTet& tet = star_[at(t)];
    bool is_divided = false;
    for (int i = 0; i < 4; ++i) is_divided = is_divided || (i != opposite && tet.block_of(i) != tet.block_of(tet.at));
    if (!is_divided) return;
    for (int i = 0; i < 4; ++i)
      if (i != opposite && i != tet.at) front.note(tet.vertex[at(i)], tet.block_of(i) == tet.block_of(tet.at) ? 1 : -1);
    for (int e = 0; e < 6; ++e) {
      if (!tet.partition.separates(e) || kTetEdges[at(e)][0] == opposite || kTetEdges[at(e)][1] == opposite) continue;
      const elements::Barycentric point = elements::edge_point(tet.partition, e);
      Vec3 p = Vec3::Zero();
      const auto corners = mesh_.corners(tet.copy[at(tet.block_of(tet.at))]);
      for (int i = 0; i < 4; ++i) p += point[at(i)] * arm(corners[at(i)]);
      front.sum += p;
      front.spread += p * p.transpose();
      ++front.num_points;
      front.area += area_behind(tet, e);
    }
  }

  [[nodiscard]] Vec3 area_behind(const StarTet& tet, int e) const {
    const int own = tet.block_of(tet.at);
    std::array<Vec3, 4> corners;
    for (int i = 0; i < 4; ++i) corners[at(i)] = Vec3(mesh_.motion[mesh_.corner(tet.copy[at(own)], i)].position);
    return crack_face_area(tet.partition, own, e, corners);
  }

  /// The tet on the other side of a face of the star; −1 where there is none.
  [[nodiscard]] int across(int t, int opposite) const {
    for (const StarFace& face : faces_) {
      if (face.a == t && face.opposite_a == opposite) return face.b;
      if (face.b == t && face.opposite_b == opposite) return face.a;
    }
    return -1;
  }

  /// The edge of tet `to` with the same vertices as this edge of tet `from`.
  [[nodiscard]] int same_edge(int from, int edge, int to) const {
    const StarTet &a = star_[at(from)], &b = star_[at(to)];
    const int i = b.place_of(a.vertex[at(kTetEdges[at(edge)][0])]),
              j = b.place_of(a.vertex[at(kTetEdges[at(edge)][1])]);
    return i < 0 || j < 0 ? -1 : elements::kTetEdgeOf[at(i)][at(j)];
  }

  /// Tets of the star with the crack that ends at the node: its faces from those at the front on, across faces of tets
  /// and within tets, but not past lines where three faces meet, where another crack begins.
  [[nodiscard]] std::vector<int> sheet_behind() const {
    std::vector<Quad> quads;
    const auto visit = [&](Quad quad) {
      if (std::ranges::find(quads, quad) == quads.end()) quads.push_back(quad);
    };
    const auto is_on_face = [](int e, int opposite) {
      return kTetEdges[at(e)][0] != opposite && kTetEdges[at(e)][1] != opposite;
    };
    for (int t = 0; t < static_cast<int>(star_.size()); ++t)
      for (int f = 0; f < 4; ++f) {
        const int other = f == star_[at(t)].at ? -1 : across(t, f);
        if (other < 0) continue;
        for (int e = 0; e < 6; ++e)
          if (is_on_face(e, f) && star_[at(t)].partition.separates(e) &&
              !star_[at(other)].partition.separates(same_edge(t, e, other)))
            visit({t, e});
      }
    for (std::size_t q = 0; q < quads.size(); ++q) {
      const auto [t, e] = quads[q];
      for (int f = 0; f < 4; ++f) {
        if (!is_on_face(e, f)) continue;
        if (const int other = f == star_[at(t)].at ? -1 : across(t, f); other >= 0)
          if (const int same = same_edge(t, e, other); star_[at(other)].partition.separates(same)) visit({other, same});
        int others = 0, last = -1;
        for (int k = 0; k < 6; ++k)
          if (k != e && is_on_face(k, f) && star_[at(t)].partition.separates(k)) {
            ++others;
            last = k;
          }
        if (others == 1) visit({t, last});
      }
    }
    std::vector<int> tets;
    for (const Quad& quad : quads) tets.push_back(quad.tet);
    std::sort(tets.begin(), tets.end());
    tets.erase(std::unique(tets.begin(), tets.end()), tets.end());
    return tets;
  }

  /// Vertices behind the front keep the side of the old crack's plane that they are on; those on the faces of a slit
  /// of the uncut mesh the side of their tets.
  void keep_sides_behind(OldFront& front) const {
    const std::optional<Front> noted = noted_front(mesh_, node_);
    if (!noted) return;
    const Vec3& origin = mesh_.rest[node_];
    const Vec3 across = noted->tangent.cross(noted->growth);
    const double own = noted->offset.dot(across) > 0 ? -1 : 1;  // the node's side, which counts as 1
    for (const GlobalNode w : link_) {
      const Vec3 from_front = mesh_.rest[mesh_.find(w)] - origin - noted->offset;
      if (from_front.dot(noted->growth) >= 0) continue;
      double height = from_front.dot(across);
      if (std::abs(height) < kOnPlane * from_front.norm()) height = height_of_tets(w, *noted);
      front.side.try_emplace(w, own * height >= 0 ? 1 : -1);
    }
  }

  /// First moment over the crack's plane, at rest, of the tets that hold the node and a vertex [m⁴].
  [[nodiscard]] double height_of_tets(GlobalNode w, const Front& front) const {
    const Vec3 across = front.tangent.cross(front.growth);
    double moment = 0;
    for (const Copy& copy : copies_) {
      const StarTet& t = tet(copy);
      if (const int i = t.place_of(w); i < 0 || t.block_of(i) != copy.block) continue;
      const LocalElement e = t.copy[at(copy.block)];
      for (const LocalNode corner : mesh_.corners(e))
        moment += mesh_.own_volume(e) / 4 * (mesh_.rest[corner] - mesh_.rest[node_] - front.offset).dot(across);
    }
    return moment;
  }

  /// The normal with which the crack goes on from its front; any sign.
  [[nodiscard]] Vec3 continued(const OldFront& front, Vec3 normal) const {
    if (front.num_points == 0) return normal;
    if (parameters_.direction == Direction::hoop && noted_front(mesh_, node_)) return normal;  // it contains the front
    if (front.area.norm() > 0) {
      const Vec3 old = front.area.normalized();
      const double along = normal.dot(old);
      if (std::abs(along) > kLeastCosine) normal = (normal + (along > 0 ? 1 : -1) * old).normalized();
    }
    const Vec3 middle = front.sum / front.num_points;
    const Mat3 spread = front.spread / front.num_points - middle * middle.transpose();
    double squared = 0;
    for (const GlobalNode w : link_) squared += arm(w).squaredNorm() / static_cast<double>(link_.size());
    return (Mat3::Identity() + kFit / squared * spread).ldlt().solve(normal).normalized();
  }

  /// The node is on the positive side. Without a front that is the side with more of the star's volume.
  void choose_sides(const OldFront& front, const Vec3& normal, double shift) {
    const auto old_side = [&](GlobalNode w) {
      const auto known = front.side.find(w);
      return known == front.side.end() ? 0 : known->second;
    };
    double agreement = 0;
    for (const GlobalNode w : link_) agreement += old_side(w) * (arm(w).dot(normal) - shift) / arm(w).norm();
    double turn = agreement > 0 ? 1 : -1;
    if (std::abs(agreement) < kOnPlane) {
      double moment = 0, largest = 0;
      for (const Copy& copy : copies_)
        for (const LocalNode w : mesh_.corners(tet(copy).copy[at(copy.block)])) {
          const double part = mesh_.own_volume(tet(copy).copy[at(copy.block)]) * arm(w).dot(normal);
          moment += part;
          largest += std::abs(part);
        }
      turn = moment >= -kOnPlane * largest ? 1 : -1;
    }
    for (const GlobalNode w : link_) {
      double height = turn * (arm(w).dot(normal) - shift);
      if (std::abs(height) < kOnPlane * arm(w).norm()) height = 0;
      const int old = old_side(w);
      sides_[w] = {old != 0 ? old : (height >= 0 ? 1 : -1), height};
    }
    const double size = std::cbrt(mesh_.own_volume(tet(copies_.front()).copy[at(copies_.front().block)]));
    sides_[mesh_.node_id[node_]] = {1, std::abs(shift) < kOnPlane * size ? 0 : std::max(0.0, -turn * shift)};
  }

  void split(const Copy& copy, CrackSides& result) {
    const StarTet& t = tet(copy);
    std::uint8_t second = 0, members = 0;
    for (int i = 0; i < 4; ++i) {
      if (t.block_of(i) != copy.block) continue;
      members |= static_cast<std::uint8_t>(1U << i);
      if (i != t.at && sides_.at(t.vertex[at(i)]).side < 0) second |= static_cast<std::uint8_t>(1U << i);
    }
    if (second == 0 || second == members) return;
    result.splits.push_back({copy.tet, copy.block, second});
    for (int e = 0; e < 6; ++e) {
      const auto [i, j] = kTetEdges[at(e)];
      const bool is_cut = (members >> i & members >> j & 1) != 0 && (second >> i & 1) != (second >> j & 1);
      if (is_cut && (t.partition.placed >> e & 1) == 0) place(t.vertex[at(i)], t.vertex[at(j)], result);
    }
  }

  void place(GlobalNode one, GlobalNode other, CrackSides& result) {
    const GlobalNode low = std::min(one, other), high = std::max(one, other);
    const auto is_same = [&](const PlacedEdge& e) { return e.low == low && e.high == high; };
    if (std::ranges::any_of(result.edges, is_same)) return;
    const auto distance = [&](GlobalNode w) {
      const Side& side = sides_.at(w);
      return std::max(0.0, side.side * side.height);  // a height on the other side counts as none
    };
    const double from_low = distance(low), from_high = distance(high), sum = from_low + from_high;
    result.edges.push_back({low, high, elements::rounded_cut(sum > 0 ? from_low / sum : 0.5)});
  }

  struct Side {
    int side = 1;
    double height = 0;  ///< [m]
  };
  const dist::Mesh& mesh_;
  std::span<const StarTet> star_;
  LocalNode node_;
  const Parameters& parameters_;
  std::vector<StarFace> faces_;
  std::vector<Copy> copies_;      ///< those that have the node
  std::vector<GlobalNode> link_;  ///< other vertices that are real in one of these
  std::map<GlobalNode, Side> sides_;
};

}  // namespace

CrackSides crack_sides(const dist::Mesh& mesh, std::span<const StarTet> star, LocalNode node, const Vec3& normal,
                       const Parameters& parameters) {
  return CrackPlanner(mesh, star, node, parameters).plan(normal);
}

}  // namespace brisance::fracture
