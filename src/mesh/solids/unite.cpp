#include "brisance/core/error.hpp"

#include "mesh/solids/cgal_mesh.hpp"
#include "mesh/solids/corefinement.hpp"
#include "mesh/solids/operations.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace brisance::mesh::solids {
namespace {

/// The same surface, with vertices sorted by their coordinates and triangles by their vertices: CGAL's corefinement
/// gives the same surface whatever the memory layout, but not the same numbering.
Surface in_order(const Surface& surface) {
  std::vector<std::int32_t> order(surface.vertices.size()), place(order.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t i, std::int32_t j) {
    const Vec3 &a = surface.vertices[i], &b = surface.vertices[j];
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  });
  Surface result;
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[order[k]] = static_cast<std::int32_t>(k);
    result.vertices.push_back(surface.vertices[order[k]]);
  }
  for (std::array<std::int32_t, 3> triangle : surface.triangles) {
    for (std::int32_t& corner : triangle) corner = place[corner];
    std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
    result.triangles.push_back(triangle);
  }
  std::sort(result.triangles.begin(), result.triangles.end());
  result.source_face.resize(result.triangles.size());
  std::iota(result.source_face.begin(), result.source_face.end(), 0);
  return result;
}

}  // namespace

Surface unite(std::span<const Surface> parts) {
  Surface whole = parts.front();
  for (const Surface& part : parts.subspan(1)) {
    std::optional<CgalMesh> joined = united(as_cgal(whole), as_cgal(part));
    if (!joined)
      throw core::Error("Parts of a shape touch in an edge or a corner alone. Change its dimensions a little.");
    joined->collect_garbage();
    whole = in_order(as_surface(*joined));
  }
  return whole;
}

}  // namespace brisance::mesh::solids
