#include "pieces_frame.hpp"

#include "texture.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace brisance::render {
namespace {

void add_piece(io::SnapshotPart& part, const mesh::PieceSurface& piece, std::int64_t number) {
  const auto& surface = piece.surface;
  const auto first = static_cast<std::int64_t>(part.position.size());
  part.position.insert(part.position.end(), surface.vertices.begin(), surface.vertices.end());
  const auto apex = static_cast<std::int64_t>(part.position.size());
  const Vec3 sum = std::accumulate(surface.vertices.begin(), surface.vertices.end(), Vec3(Vec3::Zero()));
  part.position.emplace_back(sum / static_cast<double>(surface.vertices.size()));
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const auto& [a, b, c] = surface.triangles[t];
    const auto element = static_cast<std::int64_t>(part.tets.size());
    part.element_id.push_back(element);
    part.tets.push_back({first + a, first + b, first + c, apex});
    part.piece.push_back(number);
    part.boundary.push_back({first + a, first + b, first + c});
    part.boundary_element.push_back(element);
    part.source_triangle.push_back(surface.source_face[t]);
  }
}

/// Texture coordinates as a state of elements, of which there is one below each triangle; zeros where a piece has none.
void add_texture(io::SnapshotPart& part, const io::PiecesFile& pieces) {
  if (std::ranges::all_of(pieces.pieces, [](const mesh::PieceSurface& piece) { return piece.texture.empty(); })) return;
  io::StateColumn& column = part.element_state.emplace_back();
  column.name = kTextureColumn;
  column.unit = "–";
  column.width = 6;
  for (const mesh::PieceSurface& piece : pieces.pieces)
    for (std::size_t t = 0; t < piece.surface.triangles.size(); ++t) {
      const std::array<double, 6> coords = piece.texture.empty() ? std::array<double, 6>{} : piece.texture[t];
      column.values.insert(column.values.end(), coords.begin(), coords.end());
    }
}

}  // namespace

io::Snapshot pieces_frame(const io::PiecesFile& pieces) {
  io::Snapshot frame;
  io::SnapshotPart& part = frame.part;
  for (const auto& piece : pieces.pieces) add_piece(part, piece, frame.header.num_pieces++);
  add_texture(part, pieces);
  part.node_id.resize(part.position.size());
  std::iota(part.node_id.begin(), part.node_id.end(), 0);
  part.node_owned.assign(part.position.size(), 1);
  part.rest_position = part.position;
  part.velocity.assign(part.position.size(), Vec3::Zero());
  part.material.assign(part.tets.size(), 0);
  part.stress.assign(part.tets.size(), SymMat3::Zero());
  frame.header.material_names = {"pieces"};
  return frame;
}

}  // namespace brisance::render
