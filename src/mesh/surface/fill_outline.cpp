#include "mesh/surface/fill_outline.hpp"

#include <map>

#include <CGAL/Constrained_Delaunay_triangulation_2.h>
#include <CGAL/Delaunay_mesh_face_base_2.h>
#include <CGAL/Delaunay_mesh_size_criteria_2.h>
#include <CGAL/Delaunay_mesh_vertex_base_2.h>
#include <CGAL/Delaunay_mesher_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

namespace brisance::mesh {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Structure = CGAL::Triangulation_data_structure_2<CGAL::Delaunay_mesh_vertex_base_2<Kernel>,
                                                       CGAL::Delaunay_mesh_face_base_2<Kernel>>;
using Refinement = CGAL::Constrained_Delaunay_triangulation_2<Kernel, Structure>;
using Criteria = CGAL::Delaunay_mesh_size_criteria_2<Refinement>;

constexpr double kAspectBound = 0.125;    ///< sin² of the least angle: 20.7°, for which refinement terminates
constexpr double kLongestOverMean = 1.5;  ///< longest edge of the mesher's triangles over their mean edge (measured)

/// Flood fill from infinity; each constraint crossed changes sides.
void mark_domain(Refinement& triangulation) {
  std::map<Refinement::Face_handle, bool> inside{{triangulation.infinite_face(), false}};
  std::vector<Refinement::Face_handle> front{triangulation.infinite_face()};
  while (!front.empty()) {
    const auto face = front.back();
    front.pop_back();
    for (int i = 0; i < 3; ++i)
      if (const auto [entry, is_new] = inside.emplace(face->neighbor(i), inside[face] != face->is_constrained(i));
          is_new)
        front.push_back(entry->first);
  }
  for (const auto& [face, is_inside] : inside) face->set_in_domain(is_inside);
}

Surface domain_of(const Refinement& triangulation, double z) {
  Surface surface;
  std::map<Refinement::Vertex_handle, std::int32_t> number;
  for (const auto face : triangulation.finite_face_handles()) {
    if (!face->is_in_domain()) continue;
    std::array<std::int32_t, 3> triangle{};
    for (int k = 0; k < 3; ++k) {
      const auto vertex = face->vertex(k);
      const auto [entry, is_new] = number.emplace(vertex, static_cast<std::int32_t>(surface.vertices.size()));
      if (is_new) surface.vertices.emplace_back(vertex->point().x(), vertex->point().y(), z);
      triangle[k] = entry->second;
    }
    surface.source_face.push_back(static_cast<std::int32_t>(surface.triangles.size()));
    surface.triangles.push_back(triangle);
  }
  return surface;
}

}  // namespace

void Outline::add_loop(const std::vector<Vec2>& loop) {
  const auto first = static_cast<std::int32_t>(points.size()), count = static_cast<std::int32_t>(loop.size());
  points.insert(points.end(), loop.begin(), loop.end());
  for (std::int32_t i = 0; i < count; ++i) segments.push_back({first + i, first + (i + 1) % count});
}

Surface fill_outline(const Outline& outline, double edge_length_m, double z) {
  Refinement triangulation;
  std::vector<Refinement::Vertex_handle> corners;
  for (const Vec2& p : outline.points) corners.push_back(triangulation.insert({p.x(), p.y()}));
  for (const auto& [a, b] : outline.segments) triangulation.insert_constraint(corners[a], corners[b]);
  mark_domain(triangulation);
  CGAL::refine_Delaunay_mesh_2(triangulation, Criteria(kAspectBound, kLongestOverMean * edge_length_m), true);
  return domain_of(triangulation, z);
}

}  // namespace brisance::mesh
