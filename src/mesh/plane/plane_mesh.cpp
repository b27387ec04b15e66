#include "brisance/mesh/plane/plane_mesh.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"

#include "mesh/surface/self_intersections.hpp"
#include "mesh/surface/surface_edges.hpp"
#include "mesh/surface/weld.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;

constexpr double kLevel = 1e-6;         ///< over the diagonal: error of single precision and of a rotated export
constexpr double kWeldDistance = 1e-9;  ///< over the diagonal, as in `clean`

struct Bounds {
  Vec3 low = Vec3::Constant(HUGE_VAL), high = Vec3::Constant(-HUGE_VAL);

  explicit Bounds(const Surface& surface) {
    for (const Vec3& x : surface.vertices) low = low.cwiseMin(x), high = high.cwiseMax(x);
  }
  [[nodiscard]] double diagonal() const { return (high - low).norm(); }
  [[nodiscard]] bool level() const { return high.z() - low.z() <= kLevel * diagonal(); }
};

/// 1, −1 or 0 for a triangle that is counter-clockwise, clockwise or degenerate seen from +z; exact.
int turn(const Surface& surface, const std::array<std::int32_t, 3>& triangle) {
  const auto point = [&](std::int32_t v) { return Kernel::Point_2(surface.vertices[v].x(), surface.vertices[v].y()); };
  return CGAL::orientation(point(triangle[0]), point(triangle[1]), point(triangle[2]));
}

std::string place(const Vec3& x) { return fmt::format("x = {:.6g}, y = {:.6g}", x.x(), x.y()); }

Vec3 centre(const Surface& surface, std::size_t t) {
  const auto& [a, b, c] = surface.triangles[t];
  return (surface.vertices[a] + surface.vertices[b] + surface.vertices[c]) / 3;
}

void require_level(const Surface& surface, const std::string& name) {
  const Bounds bounds(surface);
  if (bounds.level()) return;
  throw core::BadInput(
      fmt::format("{}: a flat body lies in one plane z = const, but this one reaches from z = {:.6g} to {:.6g} m. Turn "
                  "it into such a plane, or leave out --plane to break it as a solid.",
                  name, bounds.low.z(), bounds.high.z()));
}

void turn_counter_clockwise(Surface& surface, const std::string& name) {
  std::size_t num_flat = 0, first = 0;
  for (std::size_t t = surface.triangles.size(); t-- > 0;) {
    const int turned = turn(surface, surface.triangles[t]);
    if (turned < 0) std::swap(surface.triangles[t][1], surface.triangles[t][2]);
    if (turned == 0) ++num_flat, first = t;
  }
  if (num_flat > 0)
    throw core::BadInput(
        fmt::format("{}: {} no area (first: face {}, counted from 1, at {}). Remove "
                    "them in the program that made the file.",
                    name, core::counted(num_flat, "triangle has", "triangles have"), surface.source_face[first] + 1,
                    place(centre(surface, first))));
}

void require_two_at_an_edge(const Surface& surface, const std::string& name) {
  std::size_t num_crowded = 0;
  Vec3 first = Vec3::Zero();
  const auto sides = edge_sides(surface);
  for_each_edge(sides, [&](std::span<const EdgeSide> edge) {
    if (edge.size() > 2 && num_crowded++ == 0)
      first = (surface.vertices[edge[0].low] + surface.vertices[edge[0].high]) / 2;
  });
  if (num_crowded > 0)
    throw core::BadInput(
        fmt::format("{}: {} three triangles or more (first at {}). A flat body has at "
                    "most two at an edge; remove the others.",
                    name, core::counted(num_crowded, "edge has", "edges have"), place(first)));
}

void require_no_overlap(const Surface& surface, const std::string& name) {
  const SelfIntersections found = find_self_intersections(surface);
  if (found.num_pairs > 0)
    throw core::BadInput(
        fmt::format("{}: {}{}, or touch other than in whole edges and corners (first at "
                    "{}). Merge the parts in the program that made the file.",
                    name, found.capped ? "at least " : "",
                    core::counted(found.num_pairs, "pair of triangles overlaps", "pairs of triangles overlap"),
                    place(found.place)));
}

}  // namespace

bool is_level(const Surface& surface) { return Bounds(surface).level(); }

PlaneMesh plane_mesh(Surface surface, std::vector<std::int32_t> region, const std::string& name) {
  if (surface.triangles.empty()) throw core::BadInput(name + ": it has no triangles. A flat body is made of them.");
  require_level(surface, name);
  for (Vec3& x : surface.vertices) x.z() = surface.vertices[0].z();
  weld_vertices(surface, kWeldDistance * Bounds(surface).diagonal());
  remove_unused_vertices(surface);
  turn_counter_clockwise(surface, name);
  require_two_at_an_edge(surface, name);
  require_no_overlap(surface, name);
  return {std::move(surface), std::move(region)};
}

double area_m2(const Surface& surface) {
  double sum = 0;
  for (const auto& [a, b, c] : surface.triangles) {
    const auto& x = surface.vertices;
    sum += (x[b] - x[a]).cross(x[c] - x[a]).norm() / 2;
  }
  return sum;
}

}  // namespace brisance::mesh
