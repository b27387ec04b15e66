#include "exports/skin/crossings.hpp"

#include "exports/skin/exact_side.hpp"
#include "exports/skin/places.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <unordered_map>

namespace brisance::exports {
namespace {

constexpr double kSame = 1e-12;   // of an edge: crossings nearer than this may be in the wrong order by rounding
constexpr double kAtEnd = 1e-11;  // of an edge: a crossing nearer to its end is put there

/// Where an edge crosses a triangle's plane, from 0 to 1. The same bits whatever the order of the corners.
double share_along(const Vec3& from, const Vec3& to, std::array<Vec3, 3> corners) {
  std::ranges::sort(corners, is_lower);
  const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  const double before = normal.dot(from - corners[0]), behind = normal.dot(to - corners[0]);
  const double share = before / (before - behind);
  if (!std::isfinite(share)) return 0.5;
  return share < kAtEnd ? 0 : share > 1 - kAtEnd ? 1 : share;
}

class Finder {
public:
  Finder(const Net& skin, const Walls& walls) : skin_(skin), walls_(walls) {}

  void cross(std::int32_t s, std::int32_t w) {
    const std::array<Vec3, 3> a = skin_.corners(s), b = walls_.net.corners(w);
    std::array<int, 3> of_skin{}, of_wall{};
    for (std::size_t k = 0; k < 3; ++k) of_skin[k] = side_of_moved_point(b[0], b[1], b[2], a[k]);
    if (of_skin[0] == of_skin[1] && of_skin[1] == of_skin[2]) return;
    for (std::size_t k = 0; k < 3; ++k) of_wall[k] = side_of_moved_triangle(a[0], a[1], a[2], b[k]);
    if (of_wall[0] == of_wall[1] && of_wall[1] == of_wall[2]) return;
    std::array<std::array<int, 3>, 3> turn{};  // of wall edge j and skin edge i
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t i = 0; i < 3; ++i) turn[j][i] = turn_of_edges(b[j], b[(j + 1) % 3], a[i], a[(i + 1) % 3]);
    std::int32_t from = -1, to = -1;
    for (std::size_t i = 0; i < 3; ++i) {
      const int before = of_skin[i], behind = of_skin[(i + 1) % 3];
      if (before == behind || turn[0][i] != turn[1][i] || turn[1][i] != turn[2][i]) continue;
      (before < behind ? from : to) = on_skin_edge(s, i, w, before < behind);
    }
    for (std::size_t j = 0; j < 3; ++j) {
      const int before = of_wall[j], behind = of_wall[(j + 1) % 3];
      if (before == behind || turn[j][0] != turn[j][1] || turn[j][1] != turn[j][2]) continue;
      (before < behind ? to : from) = on_wall_edge(w, j, s, before < behind);
    }
    if (from >= 0 && to >= 0) found.pairs.push_back({s, w, from, to});
  }

  Crossings found;

private:
  /// Skin edge i of triangle s, which leaves the piece there as it runs around s.
  std::int32_t on_skin_edge(std::int32_t s, std::size_t i, std::int32_t w, bool leaves) {
    const std::int32_t e = skin_.edges_of[s][i];
    const auto [known, is_new] = of_skin_.try_emplace(key(e, w), static_cast<std::int32_t>(found.points.size()));
    if (!is_new) return known->second;
    const auto& [first, last] = skin_.edges[e];
    const double along = share_along(skin_.points[first], skin_.points[last], walls_.net.corners(w));
    found.points.push_back({true, e, w, along, between(skin_.points[first], skin_.points[last], along)});
    const bool is_along = skin_.triangles[s][i] == first;
    found.on_skin.push_back({e, walls_.piece[w], along, known->second, leaves == is_along});
    return known->second;
  }
  std::int32_t on_wall_edge(std::int32_t w, std::size_t j, std::int32_t s, bool leaves) {
    const std::int32_t e = walls_.net.edges_of[w][j];
    const auto [known, is_new] = of_walls_.try_emplace(key(e, s), static_cast<std::int32_t>(found.points.size()));
    if (!is_new) return known->second;
    const auto& [first, last] = walls_.net.edges[e];
    const auto& x = walls_.net.points;
    const double along = share_along(x[first], x[last], skin_.corners(s));
    found.points.push_back({false, e, s, along, between(x[first], x[last], along)});
    const bool is_along = walls_.net.triangles[w][j] == first;
    found.on_walls.push_back({e, walls_.piece[w], along, known->second, leaves == is_along});
    return known->second;
  }
  static std::uint64_t key(std::int32_t a, std::int32_t b) {
    return (static_cast<std::uint64_t>(a) << 32) | static_cast<std::uint32_t>(b);
  }
  static Vec3 between(const Vec3& a, const Vec3& b, double along) {
    return along == 0 ? a : along == 1 ? b : Vec3((1 - along) * a + along * b);
  }

  const Net& skin_;
  const Walls& walls_;
  std::unordered_map<std::uint64_t, std::int32_t> of_skin_, of_walls_;
};

using Run = std::span<CrossingOnEdge>;

/// Whether the order at the beginning of a run of crossings is beyond doubt: the first two are apart, or alike.
bool is_certain(const CrossingOnEdge& first, const CrossingOnEdge* next) {
  return next == nullptr || std::abs(next->along - first.along) > kSame || next->leaves == first.leaves;
}

/// Lets crossings leave and enter in turn, beginning with the given one: of those that rounding may have exchanged.
void alternate(Run run, bool leaves) {
  for (std::size_t i = 0; i < run.size(); ++i, leaves = !leaves) {
    std::size_t j = i;
    while (j < run.size() && run[j].leaves != leaves && run[j].along - run[i].along <= kSame) ++j;
    if (j < run.size() && run[j].leaves == leaves && run[j].along - run[i].along <= kSame)
      std::rotate(run.begin() + static_cast<std::ptrdiff_t>(i), run.begin() + static_cast<std::ptrdiff_t>(j),
                  run.begin() + static_cast<std::ptrdiff_t>(j) + 1);
  }
}

/// Whether a run begins inside, from a point in the middle of its longest gap.
bool begins_inside_by_gap(const Net& net, Run run, const std::function<bool(const Vec3&, std::int32_t)>& is_inside_at) {
  double from = 0, widest = -1, middle = 0;
  bool is_even = true;
  for (std::size_t i = 0; i <= run.size(); ++i) {
    const double to = i < run.size() ? run[i].along : 1;
    if (to - from > widest) widest = to - from, middle = (from + to) / 2, is_even = i % 2 == 0;
    from = to;
  }
  const auto& [first, last] = net.edges[static_cast<std::size_t>(run.front().edge)];
  const Vec3 x = (1 - middle) * net.points[first] + middle * net.points[last];
  return is_inside_at(x, run.front().piece) == is_even;
}

/// Sorts the crossings of each edge with each piece. What is on both sides of a point (inside or not) is known where
/// some edge tells it without doubt; other edges that end there follow.
void sort_along(const Net& net, const std::function<bool(const Vec3&, std::int32_t)>& is_inside_at,
                std::vector<CrossingOnEdge>& all) {
  const auto& edges = net.edges;
  std::ranges::sort(
      all, {}, [](const CrossingOnEdge& c) { return std::tuple(c.edge, c.piece, c.along, !c.leaves, c.crossing); });
  std::vector<Run> runs;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t j = i;
    while (j < all.size() && all[j].edge == all[i].edge && all[j].piece == all[i].piece) ++j;
    runs.emplace_back(all.data() + i, j - i);
    i = j;
  }
  std::map<std::pair<std::int32_t, std::int32_t>, int> inside;  // of (point, piece): positive if most say so
  const auto excess = [](Run run) {
    int sum = 0;
    for (const CrossingOnEdge& c : run) sum += c.leaves ? 1 : -1;
    return sum;
  };
  const auto begins_inside = [&](Run run) -> std::optional<bool> {
    if (const int sum = excess(run); sum != 0) return sum > 0;
    if (is_certain(run.front(), run.size() > 1 ? &run[1] : nullptr)) return run.front().leaves;
    if (is_certain(run.back(), run.size() > 1 ? &run[run.size() - 2] : nullptr)) return !run.back().leaves;
    return std::nullopt;
  };
  const auto note = [&](Run run, bool is_inside) {
    const auto& [first, last] = edges[static_cast<std::size_t>(run.front().edge)];
    const bool ends_inside = is_inside != (run.size() % 2 != 0);
    inside[{first, run.front().piece}] += is_inside ? 1 : -1;
    inside[{last, run.front().piece}] += ends_inside ? 1 : -1;
  };
  std::vector<Run> doubtful;
  for (const Run run : runs) {
    const auto begin = begins_inside(run);
    if (begin) alternate(run, *begin), note(run, *begin);
    if (!begin) doubtful.push_back(run);
  }
  for (const Run run : doubtful) {
    const auto& [first, last] = edges[static_cast<std::size_t>(run.front().edge)];
    const auto at = [&](std::int32_t point) {
      const auto found = inside.find({point, run.front().piece});
      return found == inside.end() ? 0 : found->second;
    };
    const int says = at(first) != 0 ? at(first) : at(last);
    alternate(run, says != 0 ? says > 0 : begins_inside_by_gap(net, run, is_inside_at));
  }
}

}  // namespace

Crossings find_crossings(const Net& skin, const TriangleSearch& search, const Walls& walls, const InsideTests& inside) {
  Finder finder(skin, walls);
  for (std::int32_t w = 0; w < std::ssize(walls.net.triangles); ++w) {
    const auto corners = walls.net.corners(w);
    Eigen::AlignedBox3d box(corners[0]);
    box.extend(corners[1]).extend(corners[2]);
    search.each_in(box, [&](std::int32_t s) { finder.cross(s, w); });
  }
  sort_along(skin, inside.of_piece, finder.found.on_skin);
  const auto of_skin = [&](const Vec3& x, std::int32_t) { return inside.of_skin(x); };
  sort_along(walls.net, of_skin, finder.found.on_walls);
  return std::move(finder.found);
}

}  // namespace brisance::exports
