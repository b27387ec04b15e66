#include "mesh/surface/triangulate_polygon.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <CGAL/Constrained_Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangulation_face_base_with_info_2.h>
#include <CGAL/Triangulation_vertex_base_with_info_2.h>

namespace brisance::mesh {
namespace {

using Triangle = std::array<std::int32_t, 3>;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using VertexBase = CGAL::Triangulation_vertex_base_with_info_2<std::int32_t, Kernel>;
using FaceBase = CGAL::Constrained_triangulation_face_base_2<Kernel>;
using Filling =
    CGAL::Constrained_Delaunay_triangulation_2<Kernel, CGAL::Triangulation_data_structure_2<VertexBase, FaceBase>,
                                               CGAL::No_constraint_intersection_tag>;
using Loop = std::vector<Kernel::Point_2>;

std::vector<Triangle> fan(std::span<const std::int32_t> corners) {
  std::vector<Triangle> triangles;
  for (std::size_t i = 2; i < corners.size(); ++i) triangles.push_back({corners[0], corners[i - 1], corners[i]});
  return triangles;
}

/// The corners projected along the polygon's mean (Newell) normal, counter-clockwise; empty if it has no area.
Loop flatten(std::span<const Vec3> points, std::span<const std::int32_t> corners) {
  const Vec3 origin = points[corners[0]];
  Vec3 normal = Vec3::Zero();
  for (std::size_t i = 0; i < corners.size(); ++i)
    normal += (points[corners[i]] - origin).cross(points[corners[(i + 1) % corners.size()]] - origin);
  if (!(normal.norm() > 0)) return {};
  const Vec3 w = normal.normalized(), u = w.unitOrthogonal(), v = w.cross(u);
  Loop outline;
  for (const std::int32_t c : corners) outline.emplace_back((points[c] - origin).dot(u), (points[c] - origin).dot(v));
  return outline;
}

bool is_convex_quad(const Loop& outline) {
  for (int i = 0; i < 4; ++i)
    if (CGAL::orientation(outline[i], outline[(i + 1) % 4], outline[(i + 2) % 4]) != CGAL::LEFT_TURN) return false;
  return true;
}

/// Net number of times that the outline traverses each edge: from the first vertex to the second less the reverse. A
/// bridge to a hole, traversed in both directions, counts 0.
class EdgeCounts {
public:
  /// True if the outline has not traversed it before, in either direction.
  bool add(Filling::Vertex_handle from, Filling::Vertex_handle to) {
    const auto [edge, is_new] = counts_.try_emplace(from < to ? Ends(from, to) : Ends(to, from), 0);
    edge->second += from < to ? 1 : -1;
    return is_new;
  }
  /// From `from` to `to`.
  [[nodiscard]] int of(Filling::Vertex_handle from, Filling::Vertex_handle to) const {
    const auto found = counts_.find(from < to ? Ends(from, to) : Ends(to, from));
    return found == counts_.end() ? 0 : from < to ? found->second : -found->second;
  }
  /// Are all of them edges of the triangulation? One that passes through another corner is divided there.
  [[nodiscard]] bool are_edges_of(const Filling& triangulation) const {
    return std::ranges::all_of(
        counts_, [&](const auto& edge) { return triangulation.is_edge(edge.first.first, edge.first.second); });
  }

private:
  using Ends = std::pair<Filling::Vertex_handle, Filling::Vertex_handle>;
  std::map<Ends, int> counts_;
};

/// Winding number of the outline around each face, counter-clockwise.
std::map<Filling::Face_handle, int> windings(const Filling& triangulation, const EdgeCounts& counts) {
  std::map<Filling::Face_handle, int> winding{{triangulation.infinite_face(), 0}};
  std::vector<Filling::Face_handle> front{triangulation.infinite_face()};
  while (!front.empty()) {
    const auto face = front.back();
    front.pop_back();
    for (int i = 0; i < 3; ++i) {
      // The face lies to the left of its own edges, counter-clockwise.
      const int change = counts.of(face->vertex(Filling::ccw(i)), face->vertex(Filling::cw(i)));
      const auto next = face->neighbor(i);
      if (winding.emplace(next, winding.at(face) - change).second) front.push_back(next);
    }
  }
  return winding;
}

/// Constrained Delaunay triangulation of the region that the outline encloses; empty where two neighbours coincide, a
/// corner lies on a side, or a region is enclosed twice or clockwise; throws CGAL's exception where the outline crosses
/// itself.
std::vector<Triangle> triangulate_outline(const Loop& outline, std::span<const std::int32_t> corners) {
  Filling triangulation;
  std::vector<Filling::Vertex_handle> handles;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    handles.push_back(triangulation.insert(outline[i]));
    handles.back()->info() = corners[i];
  }
  EdgeCounts counts;
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const auto from = handles[i], to = handles[(i + 1) % handles.size()];
    if (from == to) return {};
    if (counts.add(from, to)) triangulation.insert_constraint(from, to);
  }
  if (!counts.are_edges_of(triangulation)) return {};

  const auto winding = windings(triangulation, counts);
  std::vector<Triangle> triangles;
  for (const auto face : triangulation.finite_face_handles()) {
    const int times = winding.at(face);
    if (times != 0 && times != 1) return {};
    if (times == 1) triangles.push_back({face->vertex(0)->info(), face->vertex(1)->info(), face->vertex(2)->info()});
  }
  return triangles;
}

}  // namespace

std::vector<Triangle> triangulate_polygon(std::span<const Vec3> points, std::span<const std::int32_t> corners) {
  if (corners.size() == 3) return fan(corners);
  const Loop outline = flatten(points, corners);
  if (outline.empty() || (corners.size() == 4 && is_convex_quad(outline))) return fan(corners);
  try {
    auto triangles = triangulate_outline(outline, corners);
    if (!triangles.empty()) return triangles;
  } catch (const Filling::Intersection_of_constraints_exception&) {
  }
  return fan(corners);
}

}  // namespace brisance::mesh
