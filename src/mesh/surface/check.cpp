#include "brisance/mesh/surface/check.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"

#include "mesh/surface/self_intersections.hpp"
#include "mesh/surface/surface_edges.hpp"

#include <cmath>
#include <numeric>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

/// Union–find over small integers.
class Groups {
public:
  explicit Groups(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t i, std::size_t j) { parent_[root(i)] = root(j); }

private:
  std::vector<std::size_t> parent_;
};

/// Counts a case and keeps the position of the first.
void note(std::int64_t& count, Vec3& place, const Vec3& here) {
  if (count++ == 0) place = here;
}

void check_edges(const Surface& surface, std::span<const EdgeSide> sides, SurfaceReport& report) {
  for_each_edge(sides, [&](std::span<const EdgeSide> edge) {
    const Vec3 middle = (surface.vertices[edge[0].low] + surface.vertices[edge[0].high]) / 2;
    if (edge.size() == 1)
      note(report.num_open_edges, report.open_edge, middle);
    else if (edge.size() > 2)
      note(report.num_nonmanifold_edges, report.nonmanifold_edge, middle);
    else if (edge[0].forward == edge[1].forward)
      note(report.num_misoriented_edges, report.misoriented_edge, middle);
  });
}

/// The place (0, 1, 2) of a vertex in a triangle.
std::size_t corner_place(const Surface& surface, std::int32_t triangle, std::int32_t vertex) {
  const auto& t = surface.triangles[triangle];
  return t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2;
}

/// A vertex is manifold if its triangles are connected through edges at that vertex: join triangle corners across edges
/// and count the groups at each vertex.
void check_vertices(const Surface& surface, std::span<const EdgeSide> sides, SurfaceReport& report) {
  Groups corners(3 * surface.triangles.size());
  for_each_edge(sides, [&](std::span<const EdgeSide> edge) {
    for (std::size_t i = 1; i < edge.size(); ++i)
      for (const std::int32_t v : {edge[0].low, edge[0].high})
        corners.join(3 * edge[0].triangle + corner_place(surface, edge[0].triangle, v),
                     3 * edge[i].triangle + corner_place(surface, edge[i].triangle, v));
  });
  std::vector<std::int32_t> num_fans(surface.vertices.size(), 0);
  for (std::size_t c = 0; c < 3 * surface.triangles.size(); ++c)
    if (corners.root(c) == c) ++num_fans[surface.triangles[c / 3][c % 3]];
  for (std::size_t v = 0; v < num_fans.size(); ++v)
    if (num_fans[v] > 1) note(report.num_nonmanifold_vertices, report.nonmanifold_vertex, surface.vertices[v]);
}

void count_components(const Surface& surface, std::span<const EdgeSide> sides, SurfaceReport& report) {
  Groups triangles(surface.triangles.size());
  for_each_edge(sides, [&](std::span<const EdgeSide> edge) {
    for (std::size_t i = 1; i < edge.size(); ++i) triangles.join(edge[0].triangle, edge[i].triangle);
  });
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) report.num_components += triangles.root(t) == t ? 1 : 0;
}

void measure(const Surface& surface, SurfaceReport& report) {
  if (surface.vertices.empty()) return;
  report.lower = report.upper = surface.vertices[0];
  for (const auto& p : surface.vertices) {
    report.lower = report.lower.cwiseMin(p);
    report.upper = report.upper.cwiseMax(p);
  }
  // Relative to the middle of the body, so that a far origin costs no digits.
  const Vec3 origin = (report.lower + report.upper) / 2;
  for (const auto& [ia, ib, ic] : surface.triangles) {
    const Vec3 a = surface.vertices[ia] - origin, b = surface.vertices[ib] - origin, c = surface.vertices[ic] - origin;
    report.volume_m3 += a.cross(b).dot(c) / 6;
    report.area_m2 += (b - a).cross(c - a).norm() / 2;
  }
}

std::string shown(const Vec3& p) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", p[0], p[1], p[2]); }

}  // namespace

bool SurfaceReport::has_volume() const { return std::abs(volume_m3) > 1e-12 * std::pow((upper - lower).norm(), 3); }

SurfaceReport check_surface(const Surface& surface) {
  SurfaceReport report;
  report.num_vertices = static_cast<std::int64_t>(surface.vertices.size());
  report.num_triangles = static_cast<std::int64_t>(surface.triangles.size());
  const auto sides = edge_sides(surface);
  check_edges(surface, sides, report);
  check_vertices(surface, sides, report);
  count_components(surface, sides, report);
  measure(surface, report);
  const SelfIntersections found = find_self_intersections(surface);
  report.num_self_intersections = found.num_pairs;
  report.intersections_capped = found.capped;
  report.self_intersection = found.place;
  return report;
}

std::string solid_faults(const SurfaceReport& report) {
  if (report.num_triangles == 0) return "no triangle with an area is left after cleaning";
  std::string reasons;
  const auto add = [&](bool failed, const std::string& reason) {
    if (failed) reasons += (reasons.empty() ? "" : "; ") + reason;
  };
  add(!report.closed(),
      fmt::format("it is open: {} a triangle on one side only, the first near {} m",
                  core::counted(report.num_open_edges, "edge has", "edges have"), shown(report.open_edge)));
  add(report.num_nonmanifold_edges > 0,
      fmt::format("{} more than two triangles, the first near {} m",
                  core::counted(report.num_nonmanifold_edges, "edge has", "edges have"),
                  shown(report.nonmanifold_edge)));
  add(report.num_nonmanifold_vertices > 0,
      fmt::format("parts touch in {}, the first at {} m",
                  core::counted(report.num_nonmanifold_vertices, "single vertex", "single vertices"),
                  shown(report.nonmanifold_vertex)));
  add(!report.oriented(),
      fmt::format("it has no consistent outside: {} where neighbours face opposite ways, the first near {} m",
                  core::counted(report.num_misoriented_edges, "edge"), shown(report.misoriented_edge)));
  add(report.num_self_intersections > 0,
      fmt::format("it intersects itself: {}{}, the first near {} m", report.intersections_capped ? "at least " : "",
                  core::counted(report.num_self_intersections, "pair of triangles", "pairs of triangles"),
                  shown(report.self_intersection)));
  add(report.closed() && !report.has_volume(), "it is flat: it encloses no volume");
  return reasons;
}

void require_meshable(const SurfaceReport& report, const std::filesystem::path& file) {
  if (report.meshable()) return;
  if (report.num_triangles == 0)
    throw core::Error(fmt::format("{}: {}. Export a surface with faces.", file.string(), solid_faults(report)));
  throw core::Error(
      fmt::format("{}: the surface does not bound a solid: {}. Have it wrapped (object.mesh.repair = true in a scene, "
                  "--set repair=true on the command line), or close and clean it in a mesh editor.",
                  file.string(), solid_faults(report)));
}

}  // namespace brisance::mesh
