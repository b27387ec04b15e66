/// Structured test meshes: cubes cut into six tets each along the main diagonal (Kuhn), as VALIDATION's numbers use.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

#include <algorithm>
#include <array>

namespace brisance::test {

/// nx×ny×nz cubes filling [0,lx]×[0,ly]×[0,lz]; every tet positive; face_source numbers the boundary faces.
inline mesh::TetMesh kuhn_box(int nx, int ny, int nz, double lx, double ly, double lz) {
  mesh::TetMesh mesh;
  auto index = [&](int i, int j, int k) { return (i * (ny + 1) + j) * (nz + 1) + k; };
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
      for (int k = 0; k <= nz; ++k) mesh.nodes.emplace_back(lx * i / nx, ly * j / ny, lz * k / nz);
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k) {
        std::array<int, 3> axes{0, 1, 2};
        do {
          std::array<int, 3> at{i, j, k};
          std::array<std::int32_t, 4> tet{index(i, j, k), 0, 0, 0};
          for (int s = 0; s < 3; ++s) {
            ++at[axes[s]];
            tet[s + 1] = index(at[0], at[1], at[2]);
          }
          const auto& x = mesh.nodes;
          if (mesh::tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) < 0) std::swap(tet[0], tet[1]);
          mesh.tets.push_back(tet);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
  std::int32_t source = 0;
  for (const auto& tet : mesh.tets) {
    std::array<std::int32_t, 4> tags{};
    for (int f = 0; f < 4; ++f) {
      const auto& c = mesh::kFaceCorners[f];
      auto flat = [&](int axis, double at) {
        return std::all_of(c.begin(), c.end(), [&](int v) { return mesh.nodes[tet[v]][axis] == at; });
      };
      const bool outside = flat(0, 0) || flat(1, 0) || flat(2, 0) || flat(0, lx * nx / nx) || flat(1, ly * ny / ny) ||
                           flat(2, lz * nz / nz);  // as the nodes above round
      tags[f] = outside ? source++ : mesh::kNoSourceTriangle;
    }
    mesh.face_source.push_back(tags);
  }
  return mesh;
}

}  // namespace brisance::test
