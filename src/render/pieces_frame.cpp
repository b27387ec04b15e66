#include "pieces_frame.hpp"

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

}  // namespace

io::Snapshot pieces_frame(const io::PiecesFile& pieces) {
  io::Snapshot frame;
  io::SnapshotPart& part = frame.part;
  for (const auto& piece : pieces.pieces) add_piece(part, piece, frame.header.num_pieces++);
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
