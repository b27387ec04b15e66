#include "exports/skin/cut_skin.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>
#include <utility>

namespace brisance::exports {
namespace {

std::uint64_t pair_key(std::int32_t a, std::int32_t b) {
  return (static_cast<std::uint64_t>(a) << 32) | static_cast<std::uint32_t>(b);
}

/// Crossings on the edges of a triangle, as they follow its outline.
std::array<std::vector<EdgeCrossing>, 3> along_outline(const Net& net, std::int32_t triangle, std::int32_t piece,
                                                       const std::vector<CrossingOnEdge>& sorted) {
  std::array<std::vector<EdgeCrossing>, 3> edges;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::int32_t edge = net.edges_of[triangle][k];
    const auto before = [&](const CrossingOnEdge& c) { return std::pair(c.edge, c.piece) < std::pair(edge, piece); };
    auto c = std::partition_point(sorted.begin(), sorted.end(), before);
    const bool is_along = net.triangles[triangle][k] == net.edges[edge][0];
    for (; c != sorted.end() && c->edge == edge && c->piece == piece; ++c)
      edges[k].push_back({kFirstCrossing + c->crossing, c->leaves == is_along});
    if (!is_along) std::ranges::reverse(edges[k]);
  }
  return edges;
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

class Cutter {
public:
  Cutter(const InputSkin& skin, const InsideTests& inside, CutSkin& cut) : skin_(skin), inside_(inside), cut_(cut) {
    for (std::size_t p = 0; p < cut.crossings.pairs.size(); ++p) {
      const CrossedPair& pair = cut.crossings.pairs[p];
      on_skin_.emplace_back(pair_key(pair.skin, cut.walls.piece[pair.wall]), p);
      on_wall_.emplace_back(pair_key(pair.wall, 0), p);
    }
    std::ranges::sort(on_skin_);
    std::ranges::sort(on_wall_);
  }

  /// Divides the skin's triangles that walls cross, then gives the others to the piece of their neighbours.
  void divide_skin() {
    owned_.assign(skin_.net.triangles.size(), 0);
    std::vector<std::pair<std::int32_t, std::int32_t>> seeds;  // piece, triangle to which it extends
    std::unordered_set<std::uint64_t> is_cut;
    each_group(on_skin_, [&](std::uint64_t key, std::span<const Entry> group) {
      is_cut.insert(key);
      const auto triangle = static_cast<std::int32_t>(key >> 32), piece = static_cast<std::int32_t>(key & 0xFFFFFFFFU);
      TriangleCuts cuts{{}, along_outline(skin_.net, triangle, piece, cut_.crossings.on_skin), {}};
      for (std::size_t k = 0; k < 3; ++k) cuts.corners[k] = skin_.net.triangles[triangle][k];
      for (const Entry& entry : group) {
        const CrossedPair& pair = cut_.crossings.pairs[entry.second];
        cuts.stretches.push_back({kFirstCrossing + pair.from, kFirstCrossing + pair.to});
      }
      const auto whole = take(cuts, skin_.net, triangle, piece, true);
      if (!whole) return;
      for (std::size_t k = 0; k < 3; ++k)
        if ((*whole)[k]) extend(piece, triangle, k, seeds);
    });
    std::ranges::sort(seeds);
    std::vector<std::int32_t> reached(skin_.net.triangles.size(), -1);
    for (std::size_t i = 0; i < seeds.size(); ++i) {  // grows in the loop
      const auto [piece, triangle] = seeds[i];
      std::vector<std::int32_t> open{triangle};
      while (!open.empty()) {
        const std::int32_t t = open.back();
        open.pop_back();
        if (reached[t] == piece || is_cut.contains(pair_key(t, piece))) continue;
        reached[t] = piece;
        add_whole(skin_.net.triangles[t], 0, t, piece, true);
        for (std::size_t k = 0; k < 3; ++k)
          for (const std::int32_t other : skin_.net.triangles_at[skin_.net.edges_of[t][k]])
            if (other != t) open.push_back(other);
      }
    }
  }

  /// Gives parts of the skin that no crack reaches to the piece that is nearest to most of their corners.
  void give_rest(const TriangleSearch& outside, const std::vector<std::int32_t>& piece_of_outside) {
    constexpr int kSamples = 64;
    for (std::int32_t first = 0; first < std::ssize(owned_); ++first) {
      if (owned_[first] != 0) continue;
      std::vector<std::int32_t> part{first};
      owned_[first] = 1;
      for (std::size_t i = 0; i < part.size(); ++i)
        for (const std::int32_t edge : skin_.net.edges_of[part[i]])
          for (const std::int32_t other : skin_.net.triangles_at[edge])
            if (owned_[other] == 0) owned_[other] = 1, part.push_back(other);
      std::map<std::int32_t, int> votes;
      const std::size_t step = 1 + part.size() / kSamples;
      for (std::size_t i = 0; i < part.size(); i += step) {
        const auto [a, b, c] = skin_.net.corners(part[i]);
        const auto found = outside.nearest((a + b + c) / 3);
        if (found.triangle >= 0) ++votes[piece_of_outside[found.triangle]];
      }
      if (votes.empty()) continue;
      const std::int32_t piece = std::ranges::max_element(votes, {}, [](const auto& v) { return v.second; })->first;
      for (const std::int32_t t : part) add_whole(skin_.net.triangles[t], 0, t, piece, true);
    }
  }

  /// Keeps of the walls what is inside the skin.
  void trim_walls() {
    const Net& net = cut_.walls.net;
    std::vector<char> state(net.triangles.size(), 0);  // 1: divided, 2: inside
    std::vector<std::int32_t> inside;
    each_group(on_wall_, [&](std::uint64_t key, std::span<const Entry> group) {
      const auto wall = static_cast<std::int32_t>(key >> 32);
      state[wall] = 1;
      const std::int32_t piece = cut_.walls.piece[wall];
      TriangleCuts cuts{{}, along_outline(net, wall, piece, cut_.crossings.on_walls), {}};
      for (std::size_t k = 0; k < 3; ++k) cuts.corners[k] = kFirstWallPoint + net.triangles[wall][k];
      for (const Entry& entry : group) {
        const CrossedPair& pair = cut_.crossings.pairs[entry.second];
        cuts.stretches.push_back({kFirstCrossing + pair.to, kFirstCrossing + pair.from});
      }
      const auto whole = take(cuts, net, wall, piece, false);
      if (!whole && cut_.walls.kind[wall] != WallKind::extension)
        add_whole(net.triangles[wall], kFirstWallPoint, wall, piece, false);
      for (std::size_t k = 0; k < 3; ++k)
        if (whole && (*whole)[k])
          for (const std::int32_t other : net.triangles_at[net.edges_of[wall][k]]) inside.push_back(other);
    });
    while (!inside.empty()) {
      const std::int32_t w = inside.back();
      inside.pop_back();
      if (state[w] != 0) continue;
      state[w] = 2;
      for (const std::int32_t edge : net.edges_of[w])
        for (const std::int32_t other : net.triangles_at[edge]) inside.push_back(other);
    }
    keep_hidden(state);
    for (std::int32_t w = 0; w < std::ssize(state); ++w)
      if (state[w] == 2) add_whole(net.triangles[w], kFirstWallPoint, w, cut_.walls.piece[w], false);
  }

private:
  using Entry = std::pair<std::uint64_t, std::size_t>;  // triangle and piece, row of the pair

  template <class Visit>
  static void each_group(const std::vector<Entry>& sorted, Visit visit) {
    for (std::size_t i = 0; i < sorted.size();) {
      std::size_t j = i;
      while (j < sorted.size() && sorted[j].first == sorted[i].first) ++j;
      visit(sorted[i].first, std::span(sorted).subspan(i, j - i));
      i = j;
    }
  }

  void add_whole(const Triangle& corners, PointName first, std::int32_t source, std::int32_t piece, bool is_skin) {
    cut_.of_piece[piece].push_back({{first + corners[0], first + corners[1], first + corners[2]}, source, is_skin});
    if (is_skin) owned_[source] = 1;
  }

  /// Adds what is kept of a triangle; returns which edges are kept whole, nothing if the cuts do not fit together.
  std::optional<std::array<bool, 3>> take(const TriangleCuts& cuts, const Net& net, std::int32_t triangle,
                                          std::int32_t piece, bool is_skin) {
    const Projection projection(net.area_vector(triangle));
    const PlaneOf plane = [&](PointName name) { return projection(cut_.rest_of(skin_.net, name)); };
    const auto [a, b, c] = net.corners(triangle);
    const Vec3 middle = (a + b + c) / 3;
    const auto is_outline_kept = [&] { return is_skin ? inside_.of_piece(middle, piece) : inside_.of_skin(middle); };
    const auto kept = kept_part(cuts, plane, is_outline_kept);
    if (!kept) {
      ++cut_.num_unclear;
      return std::nullopt;
    }
    for (const auto& corners : triangulate(*kept, plane)) {
      cut_.of_piece[piece].push_back({corners, triangle, is_skin});
      if (is_skin) owned_[triangle] = 1;
    }
    return kept->whole_edge;
  }

  void extend(std::int32_t piece, std::int32_t triangle, std::size_t k,
              std::vector<std::pair<std::int32_t, std::int32_t>>& seeds) const {
    for (const std::int32_t other : skin_.net.triangles_at[skin_.net.edges_of[triangle][k]])
      if (other != triangle) seeds.emplace_back(piece, other);
  }

  /// Cracks that do not reach the skin anywhere are inside.
  void keep_hidden(std::vector<char>& state) const {
    const Net& net = cut_.walls.net;
    std::vector<char> seen(state.size(), 0);
    for (std::int32_t first = 0; first < std::ssize(state); ++first) {
      if (state[first] != 0 || seen[first] != 0) continue;
      std::vector<std::int32_t> part{first};
      seen[first] = 1;
      bool is_hidden = true;
      for (std::size_t i = 0; i < part.size(); ++i) {
        if (cut_.walls.kind[part[i]] == WallKind::extension) is_hidden = false;
        for (const std::int32_t edge : net.edges_of[part[i]])
          for (const std::int32_t other : net.triangles_at[edge]) {
            if (state[other] != 0) is_hidden = false;
            if (state[other] == 0 && seen[other] == 0) seen[other] = 1, part.push_back(other);
          }
      }
      if (is_hidden)
        for (const std::int32_t w : part) state[w] = 2;
    }
  }

  const InputSkin& skin_;
  const InsideTests& inside_;
  CutSkin& cut_;
  std::vector<Entry> on_skin_, on_wall_;
  std::vector<char> owned_;
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
