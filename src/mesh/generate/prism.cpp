#include "mesh/generate/prism.hpp"

#include "brisance/mesh/plane/plane_mesh.hpp"

#include "mesh/surface/fill_outline.hpp"
#include "mesh/surface/nearest_on_triangles.hpp"
#include "mesh/surface/surface_edges.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include <Eigen/Geometry>

namespace brisance::mesh {
namespace {

constexpr double kMostOfThickness = 3;     // height over 2 volume/area: a longer body is no plate
constexpr double kMostThickness = 1.2;     // over the edge length: thicker bodies have rims far enough apart
constexpr double kLevel = 1e-6;            // over the diagonal: nearer vertices lie in a plane
constexpr double kUpright = 1e-3;          // cosine of a wall's normal and the axis
constexpr double kSameAxis = 1 - 1e-6;     // cosine of two normals
constexpr double kSameVolume = 1e-3;       // relative
constexpr std::size_t kMostAxes = 8;       // number of axes tried
constexpr double kMostOff = 0.05;          // distance of the outline from its chords, over the edge length
constexpr std::size_t kFewestCorners = 4;  // of a small hole

using Loop = std::vector<Vec2>;

/// A surface as an outline between two levels of an axis.
struct Prism {
  Mat3 frame;  ///< columns: two axes of the plane, the axis
  double low_m = 0, high_m = 0;
  std::vector<Loop> loops;  ///< counter-clockwise around the material
};

Vec3 twice_area(const Surface& surface, std::size_t t) {
  const auto& [a, b, c] = surface.triangles[t];
  return (surface.vertices[b] - surface.vertices[a]).cross(surface.vertices[c] - surface.vertices[a]);
}

/// Normals of the surface up to their sign, those with the largest area first.
std::vector<Vec3> axes(const Surface& surface) {
  std::vector<std::pair<double, Vec3>> found;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const Vec3 normal = twice_area(surface, t);
    const double area = normal.norm();
    if (!(area > 0)) continue;
    const auto same = std::ranges::find_if(
        found, [&](const auto& axis) { return std::abs(axis.second.dot(normal)) > kSameAxis * area; });
    if (same != found.end())
      same->first += area;
    else if (found.size() < kMostAxes)
      found.emplace_back(area, normal / area);
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Vec3> axes;
  for (const auto& [area, axis] : found) axes.push_back(axis);
  return axes;
}

/// A frame with this axis; exact where it is one of the coordinate axes.
Mat3 frame_of(const Vec3& axis) {
  int least = 0;
  axis.cwiseAbs().minCoeff(&least);
  const Vec3 first = (Vec3::Unit(least) - axis[least] * axis).normalized();
  Mat3 frame;
  frame << first, axis.cross(first), axis;
  return frame;
}

/// The loops around the triangles of one face; none where they touch in a vertex.
std::vector<Loop> loops_of(const Surface& face, const Mat3& frame) {
  std::vector<std::int32_t> next(face.vertices.size(), -1);
  bool touches = false;
  for_each_edge(edge_sides(face), [&](std::span<const EdgeSide> edge) {
    if (edge.size() != 1) return;
    const std::int32_t from = edge[0].forward ? edge[0].low : edge[0].high;
    touches |= next[from] >= 0;
    next[from] = edge[0].forward ? edge[0].high : edge[0].low;
  });
  if (touches) return {};
  std::vector<Loop> loops;
  for (std::int32_t first = 0; first < static_cast<std::int32_t>(next.size()); ++first) {
    if (next[first] < 0) continue;
    Loop loop;
    for (std::int32_t v = first; v >= 0 && next[v] >= 0;)
      loop.emplace_back((frame.transpose() * face.vertices[v]).head<2>()), v = std::exchange(next[v], -1);
    loops.push_back(std::move(loop));
  }
  return loops;
}

double area_of(const std::vector<Loop>& loops) {
  double twice = 0;
  for (const Loop& loop : loops)
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec2 a = loop[i] - loop[0], b = loop[(i + 1) % loop.size()] - loop[0];
      twice += a.x() * b.y() - a.y() * b.x();
    }
  return twice / 2;
}

/// The surface as a prism along this axis, if it is one.
std::optional<Prism> prism_along(const Surface& surface, const Vec3& axis) {
  Eigen::AlignedBox3d box;
  for (const Vec3& x : surface.vertices) box.extend(x);
  const double level_m = kLevel * box.diagonal().norm();
  Prism prism{frame_of(axis), HUGE_VAL, -HUGE_VAL, {}};
  for (const Vec3& x : surface.vertices)
    prism.low_m = std::min(prism.low_m, axis.dot(x)), prism.high_m = std::max(prism.high_m, axis.dot(x));
  const auto is_high = [&](std::int32_t v) { return axis.dot(surface.vertices[v]) > prism.high_m - level_m; };
  const auto is_low = [&](std::int32_t v) { return axis.dot(surface.vertices[v]) < prism.low_m + level_m; };
  for (std::int32_t v = 0; v < static_cast<std::int32_t>(surface.vertices.size()); ++v)
    if (!is_high(v) && !is_low(v)) return std::nullopt;
  Surface top;
  top.vertices = surface.vertices;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const auto num_high = std::ranges::count_if(surface.triangles[t], is_high);
    const Vec3 normal = twice_area(surface, t);
    if (num_high == 3) top.triangles.push_back(surface.triangles[t]);
    if (num_high % 3 != 0 && std::abs(normal.dot(axis)) > kUpright * normal.norm()) return std::nullopt;
  }
  prism.loops = loops_of(top, prism.frame);
  const double volume = area_of(prism.loops) * (prism.high_m - prism.low_m), wanted = enclosed_volume_m3(surface);
  if (!(std::abs(volume - wanted) <= kSameVolume * wanted)) return std::nullopt;
  return prism;
}

double distance_to_chord(const Vec2& x, const Vec2& a, const Vec2& b) {
  const double squared = (b - a).squaredNorm();
  const double share = squared > 0 ? std::clamp((x - a).dot(b - a) / squared, 0.0, 1.0) : 0;
  return (a + share * (b - a) - x).norm();
}

/// Samples an outline: its corners, and points about an edge apart between them.
class Sampling {
public:
  Sampling(const Loop& loop, double edge_m, double feature_angle_deg)
      : loop_(loop), edge_m_(edge_m), is_kept_(loop.size() + 1) {
    const double cosine = std::cos(feature_angle_deg * std::numbers::pi / 180);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec2 before = at(i) - at(i + loop.size() - 1), after = at(i + 1) - at(i);
      is_kept_[i] = before.dot(after) < cosine * before.norm() * after.norm();
    }
    keep_ends();
    for (std::size_t first = 0, last = 1; last < is_kept_.size(); ++last)
      if (is_kept_[last]) keep_between(first, last), first = last;
  }

  [[nodiscard]] Loop points() const {
    Loop points;
    for (std::size_t first = 0, last = 1; last < is_kept_.size(); ++last)
      if (is_kept_[last]) append(points, first, last), first = last;
    return points;
  }

private:
  [[nodiscard]] const Vec2& at(std::size_t i) const { return loop_[i % loop_.size()]; }

  /// Keeps the first point, which is also the last; small loops keep some more, so that holes remain.
  void keep_ends() {
    const std::size_t stride = std::max<std::size_t>(1, loop_.size() / kFewestCorners);
    const auto num_kept = static_cast<std::size_t>(std::ranges::count(is_kept_, true));
    if (num_kept < kFewestCorners)
      for (std::size_t i = 0; i < loop_.size(); i += stride) is_kept_[i] = true;
    is_kept_[0] = is_kept_[loop_.size()] = true;
  }

  /// Douglas and Peucker's algorithm.
  void keep_between(std::size_t first, std::size_t last) {
    std::pair<std::size_t, double> farthest{first, 0};
    for (std::size_t i = first + 1; i < last; ++i)
      if (const double off = distance_to_chord(at(i), at(first), at(last)); off > farthest.second) farthest = {i, off};
    if (farthest.second <= kMostOff * edge_m_) return;
    is_kept_[farthest.first] = true;
    keep_between(first, farthest.first);
    keep_between(farthest.first, last);
  }

  /// Appends the first of two points and those between them, along the outline.
  void append(Loop& points, std::size_t first, std::size_t last) const {
    double length = 0;
    for (std::size_t i = first; i < last; ++i) length += (at(i + 1) - at(i)).norm();
    const auto pieces = std::max<std::int64_t>(1, std::llround(length / edge_m_));
    points.push_back(at(first));
    double walked = 0;
    std::int64_t piece = 1;
    for (std::size_t i = first; i < last; ++i) {
      const double step = (at(i + 1) - at(i)).norm();
      for (; piece < pieces; ++piece) {
        const double ahead = length * static_cast<double>(piece) / static_cast<double>(pieces) - walked;
        if (ahead > step) break;
        points.emplace_back(at(i) + (at(i + 1) - at(i)) * (ahead / step));
      }
      walked += step;
    }
  }

  const Loop& loop_;
  double edge_m_;
  std::vector<bool> is_kept_;  ///< for each point, and once more for the first
};

/// Both caps and the wall between them. The diagonals of the wall go up from the vertex with the lower number, so that
/// every prism over a triangle can be cut into three tets.
Surface extruded(const Surface& cap, const Prism& prism) {
  const auto above = static_cast<std::int32_t>(cap.vertices.size());
  Surface made;
  for (const double height : {prism.low_m, prism.high_m})
    for (const Vec3& x : cap.vertices) made.vertices.emplace_back(prism.frame * Vec3(x.x(), x.y(), height));
  for (const auto& [a, b, c] : cap.triangles) {
    made.triangles.push_back({a, c, b});
    made.triangles.push_back({a + above, b + above, c + above});
  }
  for_each_edge(edge_sides(cap), [&](std::span<const EdgeSide> edge) {
    if (edge.size() != 1) return;
    const std::int32_t a = edge[0].forward ? edge[0].low : edge[0].high;
    const std::int32_t b = edge[0].forward ? edge[0].high : edge[0].low;
    const std::int32_t third = a < b ? b + above : a + above;
    made.triangles.push_back({a, b, third});
    made.triangles.push_back(a < b ? std::array{a, b + above, a + above} : std::array{b, b + above, a + above});
  });
  return made;
}

/// Sets source_face to the input's face under the middle of each triangle.
void name_sources(Surface& made, const Surface& surface) {
  const TriangleTree tree(surface.vertices, surface.triangles);
  for (const auto& [a, b, c] : made.triangles) {
    const auto nearest = tree.nearest((made.vertices[a] + made.vertices[b] + made.vertices[c]) / 3).triangle;
    made.source_face.push_back(surface.source_face.empty() ? nearest : surface.source_face[nearest]);
  }
}

}  // namespace

std::optional<Surface> prism_surface(const Surface& surface, double edge_m, double feature_angle_deg,
                                     RemeshReport& report) {
  const double thickness_m = 2 * enclosed_volume_m3(surface) / area_m2(surface);
  const double highest_m = std::min(kMostThickness * edge_m, kMostOfThickness * thickness_m);
  for (const Vec3& axis : axes(surface)) {
    const std::optional<Prism> prism = prism_along(surface, axis);
    if (!prism || prism->high_m - prism->low_m > highest_m) continue;
    Outline outline;
    for (const Loop& loop : prism->loops) outline.add_loop(Sampling(loop, edge_m, feature_angle_deg).points());
    Surface made = extruded(fill_outline(outline, edge_m, 0), *prism);
    name_sources(made, surface);
    report = {};
    return made;
  }
  return std::nullopt;
}

}  // namespace brisance::mesh
