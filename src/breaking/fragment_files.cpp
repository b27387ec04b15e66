/// Fragments as OBJ or PLY, and their labels as JSON.
#include "brisance/breaking/fragment_set.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/modes/pieces/pieces_surface.hpp"

#include <map>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

namespace {

constexpr std::int32_t kLostSide = -2;

std::string file_name(std::size_t piece, FragmentFormat format) {
  return fmt::format("piece_{}.{}", piece, format == FragmentFormat::obj ? "obj" : "ply");
}

/// Beyond each face: a piece, −1 outside, −2 where the other side is lost.
std::vector<std::int32_t> neighbours(const mesh::PieceSurface& piece) {
  std::vector<std::int32_t> beyond = piece.neighbour;
  for (std::size_t t = 0; t < beyond.size(); ++t)
    if (beyond[t] == mesh::kNoNeighbour && piece.surface.source_face[t] == mesh::kNoSourceTriangle)
      beyond[t] = kLostSide;
  return beyond;
}

std::string obj_text(const mesh::PieceSurface& piece) {
  std::string text;
  for (const Vec3& x : piece.surface.vertices)
    fmt::format_to(std::back_inserter(text), "v {:.9g} {:.9g} {:.9g}\n", x[0], x[1], x[2]);
  for (const auto& [a, b, c] : piece.surface.triangles)
    fmt::format_to(std::back_inserter(text), "f {} {} {}\n", a + 1, b + 1, c + 1);
  return text;
}

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string ply_bytes(const mesh::PieceSurface& piece) {
  std::string bytes = fmt::format(
      "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double "
      "z\nelement face {}\nproperty list uchar int vertex_indices\nproperty int neighbour\nproperty uchar "
      "crack\nend_header\n",
      piece.surface.vertices.size(), piece.surface.triangles.size());
  for (const Vec3& x : piece.surface.vertices)
    for (int k = 0; k < 3; ++k) append(bytes, x[k]);
  const std::vector<std::int32_t> beyond = neighbours(piece);
  for (std::size_t t = 0; t < beyond.size(); ++t) {
    append(bytes, std::uint8_t{3});
    for (const std::int32_t corner : piece.surface.triangles[t]) append(bytes, corner);
    append(bytes, beyond[t]);
    append(bytes, static_cast<std::uint8_t>(beyond[t] != mesh::kNoNeighbour));
  }
  return bytes;
}

}  // namespace

void write_fragments(const FragmentSet& set, const std::filesystem::path& folder, FragmentFormat format) {
  for (std::size_t p = 0; p < set.pieces.size(); ++p)
    io::write_at_once(folder / file_name(p, format),
                      format == FragmentFormat::obj ? obj_text(set.pieces[p]) : ply_bytes(set.pieces[p]));
}

void write_whole(const mesh::TetMesh& mesh, const std::filesystem::path& file) {
  const std::vector<std::int32_t> one(mesh.tets.size(), 0);
  io::write_at_once(file, obj_text(modes::piece_surfaces(mesh, one, 1).front()));
}

nlohmann::ordered_json fragment_labels(const FragmentSet& set, FragmentFormat format) {
  using Json = nlohmann::ordered_json;
  Json pieces = Json::array(), adjacency = Json::array();
  std::map<std::pair<std::int32_t, std::int32_t>, double> area;
  for (std::size_t p = 0; p < set.pieces.size(); ++p) {
    const mesh::PieceSurface& piece = set.pieces[p];
    const Eigen::Quaterniond turn(set.poses[p].linear());
    const Vec3 move = set.poses[p].translation();
    pieces.push_back({{"file", file_name(p, format)},
                      {"volume_m3", set.solids[p].volume},
                      {"centre_of_mass_m", set.solids[p].centre},
                      {"pose",
                       {{"rotation_xyzw", {turn.x(), turn.y(), turn.z(), turn.w()}},
                        {"translation_m", {move[0], move[1], move[2]}}}},
                      {"neighbour_of_face", neighbours(piece)}});
    for (std::size_t t = 0; t < piece.neighbour.size(); ++t) {
      if (piece.neighbour[t] <= static_cast<std::int32_t>(p)) continue;
      const auto& [a, b, c] = piece.surface.triangles[t];
      const auto& x = piece.surface.vertices;
      area[{static_cast<std::int32_t>(p), piece.neighbour[t]}] += (x[b] - x[a]).cross(x[c] - x[a]).norm() / 2;
    }
  }
  for (const auto& [pair, shared] : area)
    adjacency.push_back({{"a", pair.first}, {"b", pair.second}, {"area_m2", shared}});
  return {{"num_pieces", set.pieces.size()}, {"pieces", std::move(pieces)}, {"adjacency", std::move(adjacency)}};
}

}  // namespace brisance::breaking
