#include "modes/spectral/p1_laplacian.hpp"

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

/// Element matrix: ∇N_i = −n_i/(3V) with n_i the area vector of the face opposite corner i, so L_ij = n_i·D n_j/(9V).
/// @param conductivity  D; null: the identity
void add_tet(const Simplices& mesh, std::span<const std::int32_t> tet, double volume, const SymMat3* conductivity,
             std::vector<Entry>& entries) {
  std::array<Vec3, 4> area_vector;
  for (int i = 0; i < 4; ++i) {
    const auto& face = mesh::kFaceCorners[i];
    const Vec3& a = mesh.nodes[tet[face[0]]];
    area_vector[i] = (mesh.nodes[tet[face[1]]] - a).cross(mesh.nodes[tet[face[2]]] - a) / 2;
  }
  std::array<Vec3, 4> flux = area_vector;
  if (conductivity != nullptr)
    for (Vec3& n : flux) n = full_matrix(*conductivity) * n;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) entries.push_back({tet[i], tet[j], area_vector[i].dot(flux[j]) / (9 * volume)});
}

/// Element matrix: with e_i the edge opposite corner i, all in one turn, L_ij = e_i·e_j/(4A). Where D is not the
/// identity edges become area vectors, normal to them: a quarter turn in the plane.
void add_triangle(const Simplices& mesh, std::span<const std::int32_t> triangle, double area,
                  const SymMat3* conductivity, std::vector<Entry>& entries) {
  std::array<Vec3, 3> edge;
  for (int i = 0; i < 3; ++i) edge[i] = mesh.nodes[triangle[(i + 2) % 3]] - mesh.nodes[triangle[(i + 1) % 3]];
  std::array<Vec3, 3> flux = edge;
  if (conductivity != nullptr)
    for (int i = 0; i < 3; ++i) {
      edge[i] = Vec3(-edge[i].y(), edge[i].x(), 0);
      flux[i] = full_matrix(*conductivity) * edge[i];
    }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) entries.push_back({triangle[i], triangle[j], edge[i].dot(flux[j]) / (4 * area)});
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

P1Laplacian p1_laplacian(const Simplices& mesh, std::span<const SymMat3> conductivity) {
  P1Laplacian laplacian;
  laplacian.node_volume.assign(mesh.nodes.size(), 0.0);
  std::vector<Entry> entries;
  entries.reserve(mesh.corner.size() * static_cast<std::size_t>(mesh.corners_per_cell));
  for (std::int32_t c = 0; c < mesh.num_cells(); ++c) {
    const auto cell = mesh.cell(c);
    const double volume = cell_volume(mesh, c);
    const SymMat3* d = conductivity.empty() ? nullptr : &conductivity[c];
    if (mesh.dimension() == 2)
      add_triangle(mesh, cell, volume, d, entries);
    else
      add_tet(mesh, cell, volume, d, entries);
    for (const std::int32_t corner : cell) laplacian.node_volume[corner] += volume / mesh.corners_per_cell;
  }
  compress(entries, laplacian);
  return laplacian;
}

}  // namespace brisance::modes
