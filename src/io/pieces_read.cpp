#include "brisance/io/array_file.hpp"
#include "brisance/io/pieces_file.hpp"
#include "brisance/mesh/limits.hpp"

#include "io/hdf5_reader.hpp"
#include "io/pieces_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brisance::io {

namespace {

constexpr FileKind kKind{.name = "a file of pieces", .found = "brisance prefracture makes such files (pieces.h5)."};

/// A dataset with the expected number of rows.
template <class Row>
std::vector<Row> column_of(const Hdf5Reader& file, const char* name, std::size_t num_rows) {
  std::vector<Row> rows = file.rows<Row>(name);
  if (rows.size() != num_rows) throw file.damaged(name);
  return rows;
}

std::size_t sum_of(const Hdf5Reader& file, const char* name, const std::vector<std::int64_t>& counts) {
  std::int64_t sum = 0;
  for (const std::int64_t n : counts) {
    if (n < 0 || n > std::numeric_limits<std::int32_t>::max() - sum) throw file.damaged(name);
    sum += n;
  }
  return static_cast<std::size_t>(sum);
}

void require(const Hdf5Reader& file, bool right, const char* what) {
  if (!right) throw file.damaged(what);
}

/// The next `count` rows of a column.
template <class Row>
std::vector<Row> taken(const std::vector<Row>& column, std::size_t from, std::size_t count) {
  const auto begin = column.begin() + static_cast<std::ptrdiff_t>(from);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

std::vector<mesh::PieceSurface> read_surfaces(const Hdf5Reader& file) {
  using namespace layout;
  const auto num_points = file.rows<std::int64_t>(kNumPoints);
  const auto num_cells = column_of<std::int64_t>(file, kNumCells, num_points.size());
  const std::size_t points_in_all = sum_of(file, kNumPoints, num_points), all = sum_of(file, kNumCells, num_cells);
  const auto points = column_of<Vec3>(file, kPoints, points_in_all);
  const auto corners = column_of<std::int64_t>(file, kConnectivity, 3 * all);
  const auto neighbour = column_of<std::int32_t>(file, kNeighbour, all);
  const auto source = column_of<std::int32_t>(file, kSource, all);
  const auto label = column_of<std::int32_t>(file, kPieceLabel, num_points.size());
  const auto texture =
      file.has(kTexture) ? column_of<std::array<double, 6>>(file, kTexture, all) : std::vector<std::array<double, 6>>();
  require(file, std::ranges::all_of(points, mesh::is_place), kPoints);
  require(file, std::ranges::all_of(neighbour, [](std::int32_t n) { return n >= mesh::kNoNeighbour; }), kNeighbour);
  require(file, std::ranges::all_of(label, [](std::int32_t n) { return n >= 0; }), kPieceLabel);
  std::vector<mesh::PieceSurface> pieces(num_points.size());
  std::size_t point = 0, triangle = 0;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const auto count = static_cast<std::size_t>(num_cells[p]);
    pieces[p].surface.vertices = taken(points, point, static_cast<std::size_t>(num_points[p]));
    pieces[p].surface.source_face = taken(source, triangle, count);
    pieces[p].neighbour = taken(neighbour, triangle, count);
    if (!texture.empty()) pieces[p].texture = taken(texture, triangle, count);
    pieces[p].label = label[p];
    for (std::size_t c = 3 * triangle; c < 3 * (triangle + count); c += 3) {
      for (int k = 0; k < 3; ++k)
        if (corners[c + k] < 0 || corners[c + k] >= num_points[p]) throw file.damaged(kConnectivity);
      pieces[p].surface.triangles.push_back({static_cast<std::int32_t>(corners[c]),
                                             static_cast<std::int32_t>(corners[c + 1]),
                                             static_cast<std::int32_t>(corners[c + 2])});
    }
    point += static_cast<std::size_t>(num_points[p]);
    triangle += count;
  }
  return pieces;
}

}  // namespace

PiecesFile read_pieces(const std::filesystem::path& path) {
  const QuietHdf5 quiet;
  const Hdf5Reader file(path, kKind);
  file.require_groups({layout::kOurs, layout::kVtk, layout::kPiecesGroup});
  file.require_version("pieces_version", kPiecesVersion);
  PiecesFile pieces;
  if (file.has(layout::kPieceArea))
    pieces.area_m2 = file.number<double>("area_m2");
  else
    pieces.volume_m3 = file.number<double>("volume_m3");
  pieces.gluing = file.number<double>("gluing");
  pieces.smallest_share = file.number<double>("smallest_share");
  pieces.smoothing_m2 = file.number<double>("smoothing_m2");
  pieces.is_exact_outside = file.number<std::int64_t>("is_exact_outside") != 0;
  for (const double setting : {pieces.gluing, pieces.smallest_share, pieces.smoothing_m2})
    require(file, std::isfinite(setting), "the attribute gluing, smallest_share or smoothing_m2");
  require(file, pieces.size() > 0 && std::isfinite(pieces.size()), "the attribute of the whole object's size");
  pieces.pieces = read_surfaces(file);
  if (file.has(layout::kPieceName)) {
    pieces.names = file.texts(layout::kPieceName);
    std::vector<std::string> sorted = pieces.names;
    std::ranges::sort(sorted);
    require(file, sorted.size() == pieces.pieces.size() && std::ranges::adjacent_find(sorted) == sorted.end(),
            layout::kPieceName);
  }
  return pieces;
}

bool is_pieces_file(const std::filesystem::path& path) { return has_group(path, layout::kPiecesGroup); }

}  // namespace brisance::io
