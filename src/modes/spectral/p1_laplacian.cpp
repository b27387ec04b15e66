#include "modes/spectral/p1_laplacian.hpp"

#include "brisance/elements/simplex.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

namespace brisance::modes {

namespace {

struct Entry {
  std::int32_t row, column;
  double value;
};

/// Element matrix: L_ij = V ∇N_i·D ∇N_j.
/// @param conductivity  D; null: the identity
template <int d>
void add_cell(std::span<const std::int32_t> cell, const elements::Simplex<d>& shape, const SymMat3* conductivity,
              std::vector<Entry>& entries) {
  auto flux = shape.gradient;
  if (conductivity != nullptr)
    for (Vec3& g : flux) g = full_matrix(*conductivity) * g;
  for (int i = 0; i <= d; ++i)
    for (int j = 0; j <= d; ++j)
      entries.push_back({cell[i], cell[j], std::abs(shape.volume) * shape.gradient[i].dot(flux[j])});
}

/// Sums entries of the same position, in the order in which they were made.
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
    const auto at = [&](int corner) { return mesh.nodes[cell[corner]]; };
    if (mesh.dimension() == 2)
      add_cell(cell, elements::triangle({at(0), at(1), at(2)}), d, entries);
    else
      add_cell(cell, elements::tetrahedron({at(0), at(1), at(2), at(3)}), d, entries);
    for (const std::int32_t corner : cell) laplacian.node_volume[corner] += volume / mesh.corners_per_cell;
  }
  compress(entries, laplacian);
  return laplacian;
}

}  // namespace brisance::modes
