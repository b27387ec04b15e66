#include "modes/p1_laplacian.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

namespace brisance::modes {

namespace {

struct Entry {
  std::int32_t row, column;
  double value;
};

/// Element matrix: ∇N_i = −n_i/(3V) with n_i the area vector of the face opposite corner i, so L_ij = n_i·n_j/(9V).
void add_tet(const Simplices& mesh, std::span<const std::int32_t> tet, double volume, std::vector<Entry>& entries) {
  std::array<Vec3, 4> area_vector;
  for (int i = 0; i < 4; ++i) {
    const auto& face = mesh::kFaceCorners[i];
    const Vec3& a = mesh.nodes[tet[face[0]]];
    area_vector[i] = (mesh.nodes[tet[face[1]]] - a).cross(mesh.nodes[tet[face[2]]] - a) / 2;
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) entries.push_back({tet[i], tet[j], area_vector[i].dot(area_vector[j]) / (9 * volume)});
}

/// Element matrix: with e_i the edge opposite corner i, all in one turn, L_ij = e_i·e_j/(4A).
void add_triangle(const Simplices& mesh, std::span<const std::int32_t> triangle, double area,
                  std::vector<Entry>& entries) {
  std::array<Vec3, 3> edge;
  for (int i = 0; i < 3; ++i) edge[i] = mesh.nodes[triangle[(i + 2) % 3]] - mesh.nodes[triangle[(i + 1) % 3]];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) entries.push_back({triangle[i], triangle[j], edge[i].dot(edge[j]) / (4 * area)});
}

/// Adds up entries of the same place, in the order in which they were made.
void compress(std::vector<Entry>& entries, P1Laplacian& laplacian) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& x, const Entry& y) {
    return std::tie(x.row, x.column) < std::tie(y.row, y.column);
  });
  laplacian.row_begin.assign(laplacian.node_volume.size() + 1, 0);
  const Entry* last = nullptr;
  for (const Entry& e : entries) {
    if (last != nullptr && last->row == e.row && last->column == e.column) {
      laplacian.value.back() += e.value;
    } else {
      laplacian.column.push_back(e.column);
      laplacian.value.push_back(e.value);
      ++laplacian.row_begin[e.row + 1];
    }
    last = &e;
  }
  for (std::size_t i = 1; i < laplacian.row_begin.size(); ++i) laplacian.row_begin[i] += laplacian.row_begin[i - 1];
}

}  // namespace

P1Laplacian p1_laplacian(const Simplices& mesh) {
  P1Laplacian laplacian;
  laplacian.node_volume.assign(mesh.nodes.size(), 0.0);
  std::vector<Entry> entries;
  entries.reserve(mesh.corner.size() * static_cast<std::size_t>(mesh.corners_per_cell));
  for (std::int32_t c = 0; c < mesh.num_cells(); ++c) {
    const auto cell = mesh.cell(c);
    const double volume = cell_volume(mesh, c);
    if (mesh.dimension() == 2)
      add_triangle(mesh, cell, volume, entries);
    else
      add_tet(mesh, cell, volume, entries);
    for (const std::int32_t corner : cell) laplacian.node_volume[corner] += volume / mesh.corners_per_cell;
  }
  compress(entries, laplacian);
  return laplacian;
}

}  // namespace brisance::modes
