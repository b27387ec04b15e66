/// Exact check that a surface can be filled with tetrahedra.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace brisance::mesh {

/// Findings on a cleaned surface. Each count comes with the place of the first case, in the surface's own order.
/// Connectivity is combinatorial and intersections use exact predicates, so nothing here depends on a tolerance.
struct SurfaceReport {
  std::int64_t num_vertices = 0, num_triangles = 0;
  std::int64_t num_components = 0;            ///< connected through edges
  std::int64_t num_open_edges = 0;            ///< edges of one triangle
  std::int64_t num_nonmanifold_edges = 0;     ///< edges of three or more triangles
  std::int64_t num_misoriented_edges = 0;     ///< edges whose two triangles face opposite ways
  std::int64_t num_nonmanifold_vertices = 0;  ///< vertices whose triangles form more than one fan
  std::int64_t num_self_intersections = 0;    ///< pairs of triangles that meet other than in a shared vertex or edge
  bool intersections_capped = false;          ///< counting stopped at a limit: there may be more
  Vec3 open_edge = Vec3::Zero(), nonmanifold_edge = Vec3::Zero(), misoriented_edge = Vec3::Zero(),
       nonmanifold_vertex = Vec3::Zero(), self_intersection = Vec3::Zero();  ///< places of the first cases [m]
  double volume_m3 = 0;  ///< enclosed volume; meaningful where closed and oriented
  double area_m2 = 0;
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();  ///< bounding box [m]

  [[nodiscard]] bool closed() const { return num_triangles > 0 && num_open_edges == 0; }
  [[nodiscard]] bool manifold() const { return num_nonmanifold_edges == 0 && num_nonmanifold_vertices == 0; }
  [[nodiscard]] bool oriented() const { return num_misoriented_edges == 0; }
  /// Does it enclose more than a flat sheet does: 1e-12 of the cube on the bounding box's diagonal?
  [[nodiscard]] bool has_volume() const;
  [[nodiscard]] bool meshable() const {
    return closed() && manifold() && oriented() && num_self_intersections == 0 && has_volume();
  }
};

/// Examines a surface. Local; does not throw.
[[nodiscard]] SurfaceReport check_surface(const Surface& surface);

/// Each failed check and its place, as parts of a sentence; empty if the surface is meshable. Local; does not throw.
[[nodiscard]] std::string solid_faults(const SurfaceReport& report);

/// Throws core::Error naming each failed check, its place, and what to do; returns if the surface is meshable.
void require_meshable(const SurfaceReport& report, const std::filesystem::path& file);

}  // namespace brisance::mesh
