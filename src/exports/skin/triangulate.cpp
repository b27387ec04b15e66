/// Ears are cut off until a triangle is left. No point is dropped, in line with its neighbours or not, since the
/// triangles on the other side of the outline end in it, too.
#include "exports/skin/outline.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace brisance::exports {
namespace {

using Plane = Eigen::Vector2d;

constexpr double kSamePlace = 1e-11;  // over the polygon's size

double twice_area(const Plane& a, const Plane& b, const Plane& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

struct Corner {
  PointName name;
  Plane at;
};
using Corners = std::vector<Corner>;

Corners placed(const Polygon& polygon, const PlaneOf& plane) {
  Corners corners;
  for (const PointName name : polygon) corners.push_back({name, plane(name)});
  return corners;
}

bool contains(const Corners& polygon, const Plane& x) {
  bool inside = false;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Plane &a = polygon[i].at, &b = polygon[(i + 1) % polygon.size()].at;
    if ((a.y() > x.y()) != (b.y() > x.y()) && x.x() < a.x() + (b.x() - a.x()) * (x.y() - a.y()) / (b.y() - a.y()))
      inside = !inside;
  }
  return inside;
}

bool cross(const Plane& a, const Plane& b, const Plane& c, const Plane& d) {
  return twice_area(a, b, c) * twice_area(a, b, d) < 0 && twice_area(c, d, a) * twice_area(c, d, b) < 0;
}

bool is_clear(const Corners& polygon, const Plane& a, const Plane& b) {
  for (std::size_t i = 0; i < polygon.size(); ++i)
    if (cross(a, b, polygon[i].at, polygon[(i + 1) % polygon.size()].at)) return false;
  return true;
}

/// Joins a hole to the outline along the shortest bridge that crosses neither.
void join(Corners& outline, const Corners& hole) {
  struct Bridge {
    double length;
    std::size_t from, to;
  };
  std::vector<Bridge> bridges;
  for (std::size_t i = 0; i < outline.size(); ++i)
    for (std::size_t j = 0; j < hole.size(); ++j) bridges.push_back({(outline[i].at - hole[j].at).squaredNorm(), i, j});
  std::ranges::sort(bridges, {}, &Bridge::length);
  const auto is_free = [&](const Bridge& b) {
    return is_clear(outline, outline[b.from].at, hole[b.to].at) && is_clear(hole, outline[b.from].at, hole[b.to].at);
  };
  auto chosen = std::ranges::find_if(bridges, is_free);
  if (chosen == bridges.end()) chosen = bridges.begin();
  Corners joined(outline.begin(), outline.begin() + static_cast<std::ptrdiff_t>(chosen->from) + 1);
  for (std::size_t j = 0; j <= hole.size(); ++j) joined.push_back(hole[(chosen->to + j) % hole.size()]);
  joined.insert(joined.end(), outline.begin() + static_cast<std::ptrdiff_t>(chosen->from), outline.end());
  outline = std::move(joined);
}

/// Whether the direction from corner i to a place lies between the edges at i, on the side of the polygon.
bool is_between_edges(const Corners& polygon, std::size_t i, const Plane& x) {
  const std::size_t n = polygon.size();
  const Plane &at = polygon[i].at, &next = polygon[(i + 1) % n].at, &before = polygon[(i + n - 1) % n].at;
  const bool is_left_of_next = twice_area(at, next, x) >= 0, is_right_of_before = twice_area(before, at, x) >= 0;
  return twice_area(before, at, next) > 0 ? is_left_of_next && is_right_of_before
                                          : is_left_of_next || is_right_of_before;
}

double longest_squared(const Plane& a, const Plane& b, const Plane& c) {
  return std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
}

/// How good an ear is: twice its area over the square of its longest edge; negative where it is none.
double quality(const Corners& polygon, std::size_t a, std::size_t b, std::size_t c) {
  const Plane &x = polygon[a].at, &y = polygon[b].at, &z = polygon[c].at;
  const double area = twice_area(x, y, z);
  if (!(area > 0) || !is_between_edges(polygon, a, z) || !is_between_edges(polygon, c, x)) return -1;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Plane& p = polygon[i].at;
    if (i == a || i == b || i == c || p == x || p == y || p == z) continue;
    if (twice_area(x, y, p) >= 0 && twice_area(y, z, p) >= 0 && twice_area(z, x, p) >= 0) return -1;
  }
  return area / longest_squared(x, y, z);
}

using Names = std::array<PointName, 3>;

/// Takes corner b off the polygon.
void cut(Corners& polygon, std::size_t b, std::vector<Names>& triangles) {
  const std::size_t n = polygon.size();
  triangles.push_back({polygon[(b + n - 1) % n].name, polygon[b].name, polygon[(b + 1) % n].name});
  polygon.erase(polygon.begin() + static_cast<std::ptrdiff_t>(b));
}

/// Does the outline turn back at corner b, with nothing between its ways but the outside? Then what it encloses there
/// has no area. At the end of a crack that ends in the triangle it turns back inside.
bool is_spike(const Corners& polygon, std::size_t b) {
  constexpr double kTurnedBack = 1e-9, kAhead = 1e-9;
  const std::size_t n = polygon.size();
  const Plane &at = polygon[b].at, &next = polygon[(b + 1) % n].at, &before = polygon[(b + n - 1) % n].at;
  const Plane in = at - before, out = next - at;
  const double size = in.norm() * out.norm();
  if (in.dot(out) >= 0 || std::abs(twice_area(before, at, next)) > kTurnedBack * size) return false;
  return !contains(polygon, at + kAhead * in);
}

double twice_area(const Corners& polygon) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    sum += twice_area(polygon[0].at, polygon[i].at, polygon[i + 1].at);
  return sum;
}

/// Divides an outline where parts with an area touch at a point. Both keep both corners there.
std::vector<Corners> parts_that_touch(Corners whole) {
  constexpr double kFlat = 1e-12;  // over the size squared
  Eigen::AlignedBox2d box;
  for (const Corner& corner : whole) box.extend(corner.at);
  const double size = box.diagonal().norm();
  std::vector<Corners> parts, open{std::move(whole)};
  const auto divided = [&](const Corners& polygon) {
    const auto n = std::ssize(polygon);
    for (std::ptrdiff_t i = 0; i < n; ++i)
      for (std::ptrdiff_t j = i + 2; j < n; ++j) {
        if ((polygon[i].at - polygon[j].at).norm() > kSamePlace * size) continue;
        Corners between(polygon.begin() + i, polygon.begin() + j + 1), rest(polygon.begin() + j, polygon.end());
        rest.insert(rest.end(), polygon.begin(), polygon.begin() + i + 1);
        if (twice_area(between) <= kFlat * size * size || twice_area(rest) <= kFlat * size * size) continue;
        open.push_back(std::move(between));
        open.push_back(std::move(rest));
        return true;
      }
    return false;
  };
  while (!open.empty()) {
    const Corners polygon = std::move(open.back());
    open.pop_back();
    if (!divided(polygon)) parts.push_back(polygon);
  }
  return parts;
}

/// Takes off corners at the place of the one before, and spikes.
void cut_flat_corners(Corners& polygon, std::vector<Names>& triangles) {
  Eigen::AlignedBox2d box;
  for (const Corner& corner : polygon) box.extend(corner.at);
  const double same = kSamePlace * box.diagonal().norm();
  std::size_t unchanged = 0;
  for (std::size_t b = 0; polygon.size() > 3 && unchanged < polygon.size();) {
    const std::size_t n = polygon.size();
    b %= n;
    const bool is_flat = (polygon[b].at - polygon[(b + n - 1) % n].at).norm() <= same || is_spike(polygon, b);
    if (is_flat) {
      cut(polygon, b, triangles);
      unchanged = 0;
      b = (b + polygon.size() - 1) % polygon.size();
    } else {
      ++unchanged;
      ++b;
    }
  }
}

void cut_ears(Corners polygon, std::vector<Names>& triangles) {
  constexpr double kGood = 0.3;  // an equilateral triangle has 0.87
  cut_flat_corners(polygon, triangles);
  while (polygon.size() > 3) {
    const std::size_t n = polygon.size();
    double best = -1, shortest = std::numeric_limits<double>::infinity();
    std::size_t ear = 0, fallback = 0;
    for (std::size_t b = 0; b < n && best < kGood; ++b) {
      const std::size_t a = (b + n - 1) % n, c = (b + 1) % n;
      const double found = quality(polygon, a, b, c);
      if (found > best) best = found, ear = b;
      const double size = longest_squared(polygon[a].at, polygon[b].at, polygon[c].at);
      if (size < shortest) shortest = size, fallback = b;
    }
    // No ear: the outline crosses itself, where curves do by a little. What is smallest there goes first.
    cut(polygon, best < 0 ? fallback : ear, triangles);
  }
  if (polygon.size() == 3) triangles.push_back({polygon[0].name, polygon[1].name, polygon[2].name});
}

}  // namespace

std::vector<std::array<PointName, 3>> triangulate(const KeptPart& kept, const PlaneOf& plane) {
  std::vector<Corners> outlines;
  for (const Polygon& polygon : kept.outlines) outlines.push_back(placed(polygon, plane));
  std::vector<Corners> alone;  // without area, outside of all
  for (const Polygon& polygon : kept.holes) {
    Corners hole = placed(polygon, plane);
    const auto around = std::ranges::find_if(outlines, [&](const Corners& o) { return contains(o, hole[0].at); });
    if (around != outlines.end())
      join(*around, hole);
    else
      alone.push_back(std::move(hole));
  }
  std::ranges::move(alone, std::back_inserter(outlines));
  std::vector<Names> triangles;
  for (Corners& outline : outlines)
    for (Corners& part : parts_that_touch(std::move(outline))) cut_ears(std::move(part), triangles);
  return triangles;
}

}  // namespace brisance::exports
