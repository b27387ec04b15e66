#include "brisance/mesh/tets/boundary_faces.hpp"

#include <algorithm>

namespace brisance::mesh {
namespace {

struct TetFace {
  std::array<std::int32_t, 3> nodes;  // sorted
  std::int32_t tet;
  int corner;
};

std::vector<TetFace> sorted_faces(const TetMesh& mesh) {
  std::vector<TetFace> faces;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (int corner = 0; corner < 4; ++corner) {
      TetFace face{{}, static_cast<std::int32_t>(t), corner};
      for (int i = 0; i < 3; ++i) face.nodes[i] = mesh.tets[t][kFaceCorners[corner][i]];
      std::ranges::sort(face.nodes);
      faces.push_back(face);
    }
  std::ranges::sort(faces, {}, &TetFace::nodes);
  return faces;
}

}  // namespace

std::optional<CrowdedFace> number_boundary(TetMesh& mesh) {
  const std::vector<TetFace> faces = sorted_faces(mesh);
  mesh.face_source.assign(mesh.tets.size(),
                          {kNoSourceTriangle, kNoSourceTriangle, kNoSourceTriangle, kNoSourceTriangle});
  for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
    while (end < faces.size() && faces[end].nodes == faces[begin].nodes) ++end;
    if (end - begin > 2) return CrowdedFace{static_cast<std::int64_t>(end - begin), faces[begin].nodes[0]};
    if (end - begin == 1) mesh.face_source[faces[begin].tet][faces[begin].corner] = 0;
  }
  std::int32_t next = 0;
  for (auto& sources : mesh.face_source)
    for (auto& source : sources)
      if (source == 0) source = next++;
  return std::nullopt;
}

}  // namespace brisance::mesh
