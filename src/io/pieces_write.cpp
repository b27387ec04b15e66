#include "brisance/io/atomic_file.hpp"
#include "brisance/io/pieces_file.hpp"
#include "brisance/runtime/impact_set.hpp"

#include "io/hdf5_writer.hpp"
#include "io/pieces_layout.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace brisance::io {

namespace {

/// The columns of a file: the rows of all pieces concatenated.
struct Columns {
  std::vector<std::int64_t> num_points, num_cells, num_connectivity, connectivity, offsets, piece;
  std::vector<std::uint8_t> types;
  std::vector<Vec3> points;
  std::vector<std::int32_t> label, neighbour, source;
  std::vector<double> size;  ///< volume, or area
  std::vector<std::array<double, 6>> texture;
};

void add_piece(Columns& columns, const PiecesFile& pieces, const mesh::PieceSurface& piece, bool has_texture) {
  constexpr std::uint8_t kVtkTriangle = 5;
  const auto& surface = piece.surface;
  const auto num_triangles = static_cast<std::int64_t>(surface.triangles.size());
  const auto number = static_cast<std::int64_t>(columns.num_points.size());
  columns.num_points.push_back(static_cast<std::int64_t>(surface.vertices.size()));
  columns.num_cells.push_back(num_triangles);
  columns.num_connectivity.push_back(3 * num_triangles);
  columns.points.insert(columns.points.end(), surface.vertices.begin(), surface.vertices.end());
  for (const auto& triangle : surface.triangles)
    columns.connectivity.insert(columns.connectivity.end(), triangle.begin(), triangle.end());
  for (std::int64_t t = 0; t <= num_triangles; ++t) columns.offsets.push_back(3 * t);
  columns.types.insert(columns.types.end(), surface.triangles.size(), kVtkTriangle);
  columns.piece.insert(columns.piece.end(), surface.triangles.size(), number);
  columns.neighbour.insert(columns.neighbour.end(), piece.neighbour.begin(), piece.neighbour.end());
  columns.source.insert(columns.source.end(), surface.source_face.begin(), surface.source_face.end());
  columns.label.push_back(piece.label);
  columns.size.push_back(pieces.size(piece));
  if (!has_texture) return;
  auto texture = piece.texture;
  texture.resize(surface.triangles.size());
  columns.texture.insert(columns.texture.end(), texture.begin(), texture.end());
}

Columns columns_of(const PiecesFile& pieces, bool has_texture) {
  Columns columns;
  for (const auto& piece : pieces.pieces) add_piece(columns, pieces, piece, has_texture);
  return columns;
}

void write_columns(Hdf5Writer& file, const Columns& columns, bool is_flat) {
  using namespace layout;
  file.rows(kNumPoints, columns.num_points);
  file.rows(kNumCells, columns.num_cells);
  file.rows(kNumConnectivity, columns.num_connectivity);
  file.rows(kPoints, columns.points);
  file.rows(kConnectivity, columns.connectivity);
  file.rows(kOffsets, columns.offsets);
  file.rows(kTypes, columns.types);
  file.rows(kPieceOfTriangle, columns.piece);
  file.rows(kNeighbour, columns.neighbour);
  file.rows(kSource, columns.source);
  if (!columns.texture.empty()) file.rows(kTexture, columns.texture);
  file.rows(kPieceLabel, columns.label);
  file.rows(is_flat ? kPieceArea : kPieceVolume, columns.size);
}

void write_file(const std::filesystem::path& path, const PiecesFile& pieces) {
  const bool has_texture = std::ranges::any_of(pieces.pieces, [](const auto& p) { return !p.texture.empty(); });
  const Columns columns = columns_of(pieces, has_texture);
  constexpr std::uint64_t kMetadataBytes = 64 << 10, kBytesPerTriangle = 3 * 8 + 8 + 1 + 8 + 4 + 4 + 48;
  reserve_space(path, kMetadataBytes + kBytesPerTriangle * columns.types.size() + sizeof(Vec3) * columns.points.size());
  Hdf5Writer file(path);
  for (const char* group : {layout::kVtk, layout::kPointData, layout::kCellData, layout::kOurs, layout::kPiecesGroup})
    file.group(group);
  file.vtk_attributes();
  file.attribute(layout::kOurs, "pieces_version", kPiecesVersion);
  file.attribute(layout::kOurs, pieces.is_flat() ? "area_m2" : "volume_m3", pieces.size());
  file.attribute(layout::kOurs, "gluing", pieces.gluing);
  file.attribute(layout::kOurs, "smallest_share", pieces.smallest_share);
  file.attribute(layout::kOurs, "smoothing_m2", pieces.smoothing_m2);
  file.attribute(layout::kOurs, "is_exact_outside", static_cast<std::int64_t>(pieces.is_exact_outside));
  write_columns(file, columns, pieces.is_flat());
  file.texts(layout::kPieceName, piece_names(pieces));
  file.close();
}

}  // namespace

std::vector<std::string> piece_names(const PiecesFile& pieces) {
  if (!pieces.names.empty()) return pieces.names;
  std::map<std::int32_t, std::size_t> largest;
  for (std::size_t p = 0; p < pieces.pieces.size(); ++p) {
    const auto [entry, is_new] = largest.try_emplace(pieces.pieces[p].label, p);
    if (!is_new && pieces.size(pieces.pieces[p]) > pieces.size(pieces.pieces[entry->second])) entry->second = p;
  }
  std::map<std::int32_t, int> further;
  std::vector<std::string> names;
  for (std::size_t p = 0; p < pieces.pieces.size(); ++p) {
    const std::int32_t label = pieces.pieces[p].label;
    names.push_back(runtime::atom_name(label));
    if (largest[label] != p) names.back() += "_" + std::to_string(++further[label]);
  }
  return names;
}

void write_pieces(const std::filesystem::path& file, const PiecesFile& pieces) {
  const QuietHdf5 quiet;
  const std::filesystem::path temporary = temporary_name(file);
  try {
    write_file(temporary, pieces);
    publish(temporary, file);
  } catch (const core::Error&) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
}

}  // namespace brisance::io
