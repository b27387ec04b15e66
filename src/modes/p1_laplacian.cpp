#include "modes/p1_laplacian.hpp"

#include <algorithm>
#include <tuple>

namespace brisance::modes {

namespace {

struct Entry {
  std::int32_t row, column;
  double value;
};

/// Element matrix: ∇N_i = −n_i/(3V) with n_i the area vector of the face opposite corner i, so L_ij = n_i·n_j/(9V).
void add_tet(const mesh::TetMesh& mesh, const std::array<std::int32_t, 4>& tet, double volume,
             std::vector<Entry>& entries) {
  std::array<Vec3, 4> area_vector;
  for (int i = 0; i < 4; ++i) {
    const auto& face = mesh::kFaceCorners[i];
    const Vec3& a = mesh.nodes[tet[face[0]]];
    area_vector[i] = (mesh.nodes[tet[face[1]]] - a).cross(mesh.nodes[tet[face[2]]] - a) / 2;
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) entries.push_back({tet[i], tet[j], area_vector[i].dot(area_vector[j]) / (9 * volume)});
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

P1Laplacian p1_laplacian(const mesh::TetMesh& mesh) {
  P1Laplacian laplacian;
  laplacian.node_volume.assign(mesh.nodes.size(), 0.0);
  std::vector<Entry> entries;
  entries.reserve(16 * mesh.tets.size());
  for (const auto& tet : mesh.tets) {
    const double volume =
        mesh::tet_volume(mesh.nodes[tet[0]], mesh.nodes[tet[1]], mesh.nodes[tet[2]], mesh.nodes[tet[3]]);
    add_tet(mesh, tet, volume, entries);
    for (const std::int32_t corner : tet) laplacian.node_volume[corner] += volume / 4;
  }
  compress(entries, laplacian);
  return laplacian;
}

}  // namespace brisance::modes
