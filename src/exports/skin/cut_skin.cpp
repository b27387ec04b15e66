#include "exports/skin/cut_skin.hpp"

#include "exports/skin/windings.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <unordered_set>
#include <utility>

namespace brisance::exports {
namespace {

std::uint64_t pair_key(std::int32_t a, std::int32_t b) {
  return (static_cast<std::uint64_t>(a) << 32) | static_cast<std::uint32_t>(b);
}

/// Projection along the axis in which the triangle's normal is longest; counter-clockwise triangles stay so.
class Projection {
public:
  explicit Projection(const Vec3& normal) {
    Eigen::Index axis = 0;
    (void)normal.cwiseAbs().maxCoeff(&axis);
    first_ = (axis + 1) % 3, second_ = (axis + 2) % 3;
    if (normal[axis] < 0) std::swap(first_, second_);
  }
  [[nodiscard]] Eigen::Vector2d operator()(const Vec3& x) const { return {x[first_], x[second_]}; }

private:
  Eigen::Index first_, second_;
};

/// Moves the walls by a little at rest. Cracks of tets that follow the input end in its corners and along its edges, up
/// to rounding, which would decide on which side they pass; so all pass on the same one.
void move_aside(const Net& skin, Walls& walls) {
  constexpr double kAside = 1e-7;  // over the skin's size: far above rounding
  Eigen::AlignedBox3d box;
  for (const Vec3& x : skin.points) box.extend(x);
  const Vec3 aside = kAside * box.diagonal().norm() * Vec3(0.8, 0.55, 0.24);  // along no usual edge
  for (Vec3& x : walls.net.points) x += aside;
}

class Cutter {
public:
  Cutter(const InputSkin& skin, const InsideTests& inside, CutSkin& cut) : skin_(skin), inside_(inside), cut_(cut) {
    for (std::size_t p = 0; p < cut.crossings.pairs.size(); ++p) {
      const CrossedPair& pair = cut.crossings.pairs[p];
      const std::int32_t piece = cut.walls.piece[pair.wall];
      on_skin_.emplace_back(CrossedTriangle{pair.skin, piece}, p);
      on_wall_.emplace_back(CrossedTriangle{pair.wall, piece}, p);
    }
    std::ranges::sort(on_skin_);
    std::ranges::sort(on_wall_);
  }

  /// Divides the skin's triangles that walls cross, then gives the others to the piece of their neighbours.
  void divide_skin() {
    owned_.assign(skin_.net.triangles.size(), 0);
    is_unclear_.assign(skin_.net.triangles.size(), 0);
    const std::vector<CrossedTriangle> crossed = crossed_triangles(on_skin_);
    const auto windings = winding_numbers(skin_.net, cut_.crossings.on_skin, crossed, inside_.of_piece);
    std::vector<Seed> seeds;
    std::unordered_set<std::uint64_t> is_cut;
    each_group(on_skin_, [&](std::size_t i, std::span<const Entry> group) {
      const auto [triangle, piece] = crossed[i];
      is_cut.insert(pair_key(triangle, piece));
      const auto whole = take(cuts_of(skin_.net, crossed[i], cut_.crossings.on_skin, windings[i], group, true),
                              skin_.net, crossed[i], true);
      for (std::size_t k = 0; whole && k < 3; ++k)
        for (const std::int32_t other : skin_.net.triangles_at[skin_.net.edges_of[triangle][k]])
          if (other != triangle) seeds.push_back({piece, other, (*whole)[k]});
    });
    std::ranges::sort(seeds);
    std::vector<std::int32_t> reached(skin_.net.triangles.size(), -1);
    for (const auto& [piece, triangle, times] : seeds) {
      if (times == 0 || reached[triangle] == piece || is_cut.contains(pair_key(triangle, piece))) continue;
      std::vector<std::int32_t> part{triangle};
      reached[triangle] = piece;
      for (std::size_t i = 0; i < part.size(); ++i)
        for (const std::int32_t edge : skin_.net.edges_of[part[i]])
          for (const std::int32_t other : skin_.net.triangles_at[edge])
            if (reached[other] != piece && !is_cut.contains(pair_key(other, piece)))
              reached[other] = piece, part.push_back(other);
      const std::optional<int> agreed = times_of(part, piece, seeds);
      for (const std::int32_t t : part) {
        const auto [a, b, c] = skin_.net.corners(t);
        const int here = agreed ? *agreed : inside_.of_piece((a + b + c) / 3, piece) ? 1 : 0;
        add_whole(skin_.net.triangles[t], 0, {t, piece}, true, here);
      }
    }
  }

  /// Gives parts of the skin that no crack reaches, and triangles that could not be divided, to the piece that is
  /// nearest to most of their corners. Other parts without a piece are those of material that has left the mesh.
  void give_rest(const TriangleSearch& outside, const std::vector<std::int32_t>& piece_of_outside) {
    constexpr int kSamples = 64;
    for (std::int32_t first = 0; first < std::ssize(owned_); ++first) {
      if (owned_[first] != 0) continue;
      std::vector<std::int32_t> part{first};
      owned_[first] = kGiven;
      bool is_unclear = false, is_beside_pieces = false;
      for (std::size_t i = 0; i < part.size(); ++i) {
        is_unclear |= is_unclear_[part[i]] != 0;
        for (const std::int32_t edge : skin_.net.edges_of[part[i]])
          for (const std::int32_t other : skin_.net.triangles_at[edge]) {
            is_beside_pieces |= owned_[other] == kTaken;
            if (owned_[other] == 0) owned_[other] = kGiven, part.push_back(other);
          }
      }
      if (is_beside_pieces && !is_unclear) continue;
      std::map<std::int32_t, int> votes;
      const std::size_t step = 1 + part.size() / kSamples;
      for (std::size_t i = 0; i < part.size(); i += step) {
        const auto [a, b, c] = skin_.net.corners(part[i]);
        const auto found = outside.nearest((a + b + c) / 3);
        if (found.triangle >= 0) ++votes[piece_of_outside[found.triangle]];
      }
      if (votes.empty()) continue;
      const std::int32_t piece = std::ranges::max_element(votes, {}, [](const auto& v) { return v.second; })->first;
      for (const std::int32_t t : part) add_whole(skin_.net.triangles[t], 0, {t, piece}, true);
    }
  }

  /// Keeps of the walls what is inside the skin.
  void trim_walls() {
    const Net& net = cut_.walls.net;
    const std::vector<CrossedTriangle> crossed = crossed_triangles(on_wall_);
    const auto is_inside = [&](const Vec3& x, std::int32_t) { return inside_.of_skin(x); };
    const auto windings = winding_numbers(net, cut_.crossings.on_walls, crossed, is_inside);
    std::vector<char> is_settled(net.triangles.size(), 0);
    std::vector<int> kept(net.triangles.size(), 0);  // how often, of walls that the skin does not cross
    std::vector<std::pair<std::int32_t, int>> open;
    each_group(on_wall_, [&](std::size_t i, std::span<const Entry> group) {
      const std::int32_t wall = crossed[i].triangle;
      is_settled[wall] = 1;
      const auto whole =
          take(cuts_of(net, crossed[i], cut_.crossings.on_walls, windings[i], group, false), net, crossed[i], false);
      if (!whole && cut_.walls.kind[wall] != WallKind::extension)
        add_whole(net.triangles[wall], kFirstWallPoint, crossed[i], false);
      for (std::size_t k = 0; whole && k < 3; ++k)
        if ((*whole)[k] != 0)
          for (const std::int32_t other : net.triangles_at[net.edges_of[wall][k]])
            open.emplace_back(other, (*whole)[k]);
    });
    while (!open.empty()) {
      const auto [w, count] = open.back();
      open.pop_back();
      if (is_settled[w] != 0) continue;
      is_settled[w] = 1;
      kept[w] = count;
      for (const std::int32_t edge : net.edges_of[w])
        for (const std::int32_t other : net.triangles_at[edge]) open.emplace_back(other, count);
    }
    keep_hidden(is_settled, kept);
    for (std::int32_t w = 0; w < std::ssize(kept); ++w)
      add_whole(net.triangles[w], kFirstWallPoint, {w, cut_.walls.piece[w]}, false, kept[w]);
  }

private:
  static constexpr char kTaken = 1, kGiven = 2;  ///< by pieces that cut or reach it; as a part that none reaches
  using Entry = std::pair<CrossedTriangle, std::size_t>;  // row of the pair

  struct Seed {
    std::int32_t piece, triangle;  ///< to which the piece extends
    int times;
    auto operator<=>(const Seed&) const = default;
  };

  /// What the neighbours of a part say of it; nothing if they disagree: a curve has ended between them.
  static std::optional<int> times_of(const std::vector<std::int32_t>& part, std::int32_t piece,
                                     const std::vector<Seed>& seeds) {
    std::optional<int> times;
    const auto key = [](const Seed& seed) { return std::pair(seed.piece, seed.triangle); };
    for (const std::int32_t t : part)
      for (const Seed& seed : std::ranges::equal_range(seeds, std::pair(piece, t), {}, key)) {
        if (times && *times != seed.times) return std::nullopt;
        times = seed.times;
      }
    return times;
  }

  template <class Visit>
  static void each_group(const std::vector<Entry>& sorted, Visit visit) {
    std::size_t number = 0;
    for (std::size_t i = 0; i < sorted.size(); ++number) {
      std::size_t j = i;
      while (j < sorted.size() && sorted[j].first == sorted[i].first) ++j;
      visit(number, std::span(sorted).subspan(i, j - i));
      i = j;
    }
  }

  /// Of each group.
  static std::vector<CrossedTriangle> crossed_triangles(const std::vector<Entry>& sorted) {
    std::vector<CrossedTriangle> crossed;
    for (const Entry& entry : sorted)
      if (crossed.empty() || crossed.back() != entry.first) crossed.push_back(entry.first);
    return crossed;
  }

  /// Nothing without winding numbers.
  [[nodiscard]] std::optional<TriangleCuts> cuts_of(const Net& net, const CrossedTriangle& of,
                                                    const std::vector<CrossingOnEdge>& sorted,
                                                    const std::optional<std::array<int, 3>>& times,
                                                    std::span<const Entry> group, bool is_skin) const {
    if (!times) return std::nullopt;
    TriangleCuts cuts{{}, *times, along_outline(net, of, sorted), {}};
    for (std::size_t k = 0; k < 3; ++k)
      cuts.corners[k] = (is_skin ? 0 : kFirstWallPoint) + net.triangles[of.triangle][k];
    for (const Entry& entry : group) {
      const CrossedPair& pair = cut_.crossings.pairs[entry.second];
      const PointName from = kFirstCrossing + pair.from, to = kFirstCrossing + pair.to;
      cuts.stretches.push_back(is_skin ? Stretch{from, to} : Stretch{to, from});
    }
    return cuts;
  }

  /// Adds a triangle so many times; the other way round if negative.
  void add_whole(const Triangle& corners, PointName first, const CrossedTriangle& of, bool is_skin, int times = 1) {
    const std::array<PointName, 3> names{first + corners[0], first + corners[1], first + corners[2]};
    for (int i = 0; i < std::abs(times); ++i)
      cut_.of_piece[of.piece].push_back(
          {times > 0 ? names : std::array{names[0], names[2], names[1]}, of.triangle, is_skin});
    if (is_skin && times != 0 && owned_[of.triangle] == 0) owned_[of.triangle] = kTaken;
  }

  /// Adds what is kept of a triangle; returns how often its edges are kept whole, nothing if the cuts do not fit
  /// together.
  std::optional<std::array<int, 3>> take(const std::optional<TriangleCuts>& cuts, const Net& net,
                                         const CrossedTriangle& of, bool is_skin) {
    const Projection projection(net.area_vector(of.triangle));
    const PlaneOf plane = [&](PointName name) { return projection(cut_.rest_of(skin_.net, name)); };
    const auto kept = cuts ? kept_part(*cuts, plane) : std::nullopt;
    if (!kept) {
      ++cut_.num_unclear;
      if (is_skin) is_unclear_[of.triangle] = 1;
      return std::nullopt;
    }
    for (const auto& corners : triangulate(*kept, plane)) {
      cut_.of_piece[of.piece].push_back({corners, of.triangle, is_skin});
      if (is_skin && owned_[of.triangle] == 0) owned_[of.triangle] = kTaken;
    }
    return kept->whole_edge;
  }

  /// Cracks that do not reach the skin anywhere are inside.
  void keep_hidden(const std::vector<char>& is_settled, std::vector<int>& kept) const {
    const Net& net = cut_.walls.net;
    std::vector<char> seen(kept.size(), 0);
    for (std::int32_t first = 0; first < std::ssize(kept); ++first) {
      if (is_settled[first] != 0 || seen[first] != 0) continue;
      std::vector<std::int32_t> part{first};
      seen[first] = 1;
      bool is_hidden = true;
      for (std::size_t i = 0; i < part.size(); ++i) {
        if (cut_.walls.kind[part[i]] == WallKind::extension) is_hidden = false;
        for (const std::int32_t edge : net.edges_of[part[i]])
          for (const std::int32_t other : net.triangles_at[edge]) {
            if (is_settled[other] != 0) is_hidden = false;
            if (is_settled[other] == 0 && seen[other] == 0) seen[other] = 1, part.push_back(other);
          }
      }
      if (is_hidden)
        for (const std::int32_t w : part) kept[w] = 1;
    }
  }

  const InputSkin& skin_;
  const InsideTests& inside_;
  CutSkin& cut_;
  std::vector<Entry> on_skin_, on_wall_;
  std::vector<char> owned_, is_unclear_;  ///< of the skin's triangles
};

}  // namespace

Vec3 CutSkin::rest_of(const Net& skin, PointName name) const {
  if (name >= kFirstCrossing) return crossings.points[static_cast<std::size_t>(name - kFirstCrossing)].rest;
  if (name >= kFirstWallPoint) return walls.net.points[static_cast<std::size_t>(name - kFirstWallPoint)];
  return skin.points[static_cast<std::size_t>(name)];
}

CutSkin cut_skin(const BrokenShape& shape, const std::vector<char>& chosen, const InputSkin& skin,
                 const TriangleSearch& search, const TriangleSearch& outside,
                 const std::vector<std::int32_t>& piece_of_outside) {
  CutSkin cut;
  cut.walls = build_walls(shape, chosen, search);
  move_aside(skin.net, cut.walls);
  InsideTests inside;
  inside.of_piece = [&](const Vec3& x, std::int32_t piece) {
    const auto found = outside.nearest(x);
    return found.triangle >= 0 && piece_of_outside[found.triangle] == piece;
  };
  inside.of_skin = [&](const Vec3& x) {
    const auto found = search.nearest(x);
    return found.triangle < 0 || skin.net.area_vector(found.triangle).dot(x - found.at.point) <= 0;
  };
  cut.crossings = find_crossings(skin.net, search, cut.walls, inside);
  cut.of_piece.resize(chosen.size());
  Cutter cutter(skin, inside, cut);
  cutter.divide_skin();
  cutter.give_rest(outside, piece_of_outside);
  cutter.trim_walls();
  return cut;
}

}  // namespace brisance::exports
