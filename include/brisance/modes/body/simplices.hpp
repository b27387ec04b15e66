/// Tets in space or triangles in the plane, with one interface for both dimensions.
#pragma once

#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// Cells of four corners (tets) or three (triangles).
struct Simplices {
  std::vector<Vec3> nodes;           ///< [m]
  std::vector<std::int32_t> corner;  ///< num_cells × corners_per_cell
  int corners_per_cell = 4;

  [[nodiscard]] int dimension() const { return corners_per_cell - 1; }
  [[nodiscard]] std::int32_t num_cells() const { return static_cast<std::int32_t>(corner.size()) / corners_per_cell; }
  [[nodiscard]] std::span<const std::int32_t> cell(std::int32_t c) const {
    return {corner.data() + static_cast<std::ptrdiff_t>(c) * corners_per_cell,
            static_cast<std::size_t>(corners_per_cell)};
  }
};

[[nodiscard]] Simplices simplices(const mesh::TetMesh& mesh);
[[nodiscard]] Simplices simplices(const mesh::Surface& triangles);
[[nodiscard]] inline Simplices simplices(const mesh::PlaneMesh& plane) { return simplices(plane.surface); }

/// Volume of a tet with four corners (positive if oriented) [m³], area of a triangle with three [m²].
[[nodiscard]] double simplex_volume(std::span<const Vec3> corners);
/// Volume or area of a cell.
[[nodiscard]] double cell_volume(const Simplices& mesh, std::int32_t cell);
[[nodiscard]] Vec3 cell_centre(const Simplices& mesh, std::int32_t cell);

}  // namespace brisance::modes
