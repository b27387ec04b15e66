#include "brisance/core/error.hpp"
#include "brisance/io/snapshot.hpp"

#include "io/hdf5_reader.hpp"
#include "io/snapshot_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <sstream>

namespace brisance::io {

namespace {

/// Opens a snapshot for reading and checks its version.
Hdf5Reader open_snapshot(const std::filesystem::path& path) {
  Hdf5Reader file(path, {.name = "a snapshot", .found = "Snapshots lie in a run folder's snapshots/NNNNNN.hdf."});
  file.require_groups({layout::kOurs, layout::kVtk});
  if (file.number<std::int64_t>("format_version") != kReducedSnapshotVersion)
    file.require_version("format_version", kSnapshotVersion);
  return file;
}

constexpr std::int64_t kMostRows = std::int64_t{1} << 50;  ///< sums of damaged counts must not overflow

/// Number of rows of a column before each part, and in total.
std::vector<std::int64_t> rows_before_parts(const Hdf5Reader& file, const char* name) {
  std::vector<std::int64_t> before{0};
  for (const std::int64_t n : file.rows<std::int64_t>(name)) {
    if (n < 0 || n > kMostRows - before.back()) throw file.damaged(name);
    before.push_back(before.back() + n);
  }
  if (std::ssize(before) != file.num_rows(layout::kNumPoints) + 1) throw file.damaged(name);
  return before;
}

/// Range of the parts to be read in a column of per-part counts.
struct Range {
  std::vector<std::int64_t> before;  ///< rows before each part that is read (counted from the first), and in total
  std::int64_t offset = 0;           ///< rows before the first part that is read
  std::int64_t total = 0;            ///< rows of all parts that are read
  std::int64_t in_file = 0;          ///< rows of all parts in the file
};

Range part_range(const Hdf5Reader& file, const char* name, std::int64_t first, std::int64_t count) {
  const std::vector<std::int64_t> before = rows_before_parts(file, name);
  if (std::ssize(before) < first + count + 1) throw file.damaged(name);
  Range range;
  range.in_file = before.back();
  range.offset = before[static_cast<std::size_t>(first)];
  range.total = before[static_cast<std::size_t>(first + count)] - range.offset;
  for (std::int64_t p = first; p <= first + count; ++p)
    range.before.push_back(before[static_cast<std::size_t>(p)] - range.offset);
  return range;
}

/// Corners of the rows from `first` on are numbers of nodes within their part; makes them numbers over all parts.
template <std::size_t N>
void join_corners(const Hdf5Reader& file, const char* name, std::span<const std::int64_t> nodes_before,
                  std::span<const std::int64_t> rows_before, std::int64_t first,
                  std::vector<std::array<std::int64_t, N>>& corners) {
  std::size_t part = 0;
  for (auto& row : corners) {
    while (first >= rows_before[part + 1]) ++part;
    ++first;
    for (std::int64_t& corner : row) {
      if (corner < 0 || corner >= nodes_before[part + 1] - nodes_before[part]) throw file.damaged(name);
      corner += nodes_before[part];
    }
  }
}

mesh::Groups read_groups(const Hdf5Reader& file) {
  using namespace layout;
  mesh::Groups groups;
  if (!file.has(kGroupNames)) return groups;
  for (const std::string& text : file.texts(kGroupNames)) groups.names.push_back(mesh::names_of_text(text));
  groups.of_source = file.rows<std::int32_t>(kGroupOfSource);
  if (!mesh::are_groups(groups, groups.of_source)) throw file.damaged(kGroupOfSource);
  return groups;
}

FrameForm read_form(const Hdf5Reader& file) {
  FrameForm form;
  if (file.number<std::int64_t>("format_version") == kSnapshotVersion) return form;
  const std::string content = file.text(layout::kOurs, "content"), precision = file.text(layout::kOurs, "precision");
  if (content != "surface" && content != "body") throw file.damaged("content");
  if (precision != "single" && precision != "double") throw file.damaged("precision");
  form.surface_only = content == "surface";
  form.single_precision = precision == "single";
  std::istringstream left_out(file.text(layout::kOurs, "left_out"));
  for (std::string field; left_out >> field;) {
    if (std::find(kOptionalFields.begin(), kOptionalFields.end(), field) == kOptionalFields.end())
      throw file.damaged("left_out");
    form.left_out.push_back(field);
  }
  return form;
}

void read_collider_meshes(const Hdf5Reader& file, std::vector<Collider>& colliders) {
  using namespace layout;
  if (!file.has(kColliderVertices)) return;
  const auto count = std::ssize(colliders);
  const auto num_vertices = file.rows<std::int64_t>(kColliderNumVertices, 0, count);
  const auto num_triangles = file.rows<std::int64_t>(kColliderNumTriangles, 0, count);
  std::int64_t vertex = 0, triangle = 0;
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    Collider& collider = colliders[i];  // counts that are negative or too large are refused by rows
    collider.vertices = file.rows<Vec3>(kColliderVertices, vertex, num_vertices[i]);
    collider.triangles = file.rows<std::array<std::int32_t, 3>>(kColliderTriangles, triangle, num_triangles[i]);
    for (const auto& corners : collider.triangles)
      for (const std::int32_t corner : corners)
        if (corner < 0 || corner >= num_vertices[i]) throw file.damaged(kColliderTriangles);
    vertex += num_vertices[i];
    triangle += num_triangles[i];
  }
}

/// A count stored as attribute, checked against `most`, since callers allocate memory for it.
std::int64_t read_count(const Hdf5Reader& file, const char* name, std::int64_t most) {
  const auto count = file.number<std::int64_t>(name);
  if (count < 0 || count > most) throw file.damaged(std::string("attribute ") + layout::kOurs + "/" + name);
  return count;
}

/// Time, step and counters of the frame.
void read_moment(const Hdf5Reader& file, SnapshotHeader& header) {
  header.time_s = file.number<double>("time_s");
  if (!std::isfinite(header.time_s)) throw file.damaged(std::string("attribute ") + layout::kOurs + "/time_s");
  header.step = read_count(file, "step", kMostRows);
  header.frame = read_count(file, "frame", kMostRows);
  header.num_pieces = read_count(file, "num_pieces", file.num_rows(layout::kElementId));  // each has a tet
  header.num_cracks = read_count(file, "num_cracks", kMostRows);
  if (file.has(layout::kDust)) header.num_dust = file.num_rows(layout::kDustId);
}

/// All dust of the frame, from whichever rank; none where the frame has none.
DustRows read_dust(const Hdf5Reader& file) {
  using namespace layout;
  DustRows dust;
  if (!file.has(kDust)) return dust;
  const std::int64_t count = file.num_rows(kDustId);
  dust.id = file.rows<std::int64_t>(kDustId, 0, count);
  dust.material = file.rows<std::int32_t>(kDustMaterial, 0, count);
  dust.birth_s = file.rows<double>(kDustBirth, 0, count);
  dust.position = file.rows<Vec3>(kDustPosition, 0, count);
  dust.velocity = file.rows<Vec3>(kDustVelocity, 0, count);
  dust.angular_momentum = file.rows<Vec3>(kDustSpin, 0, count);
  dust.radius = file.rows<double>(kDustRadius, 0, count);
  dust.mass = file.rows<double>(kDustMass, 0, count);
  for (std::size_t i = 0; i < dust.size(); ++i) {
    if (!dust.position[i].allFinite()) throw file.damaged(kDustPosition);
    if (!(dust.radius[i] >= 0) || !std::isfinite(dust.radius[i])) throw file.damaged(kDustRadius);
    if (!(dust.mass[i] >= 0) || !std::isfinite(dust.mass[i])) throw file.damaged(kDustMass);
  }
  return dust;
}

/// Throws for a collider with invalid numbers.
void check_collider(const Hdf5Reader& file, const Collider& collider) {
  const auto all_finite = [](const auto& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
  };
  if (!collider.centre.allFinite()) throw file.damaged(layout::kColliderCentre);
  if (!collider.size.allFinite()) throw file.damaged(layout::kColliderSize);
  if (!all_finite(collider.orientation)) throw file.damaged(layout::kColliderOrientation);
  for (const Vec3& x : collider.vertices)
    if (!x.allFinite()) throw file.damaged(layout::kColliderVertices);
}

/// A row for each piece; none in frames without names.
std::vector<PieceName> read_piece_names(const Hdf5Reader& file, std::int64_t num_pieces) {
  std::vector<PieceName> pieces;
  if (!file.has(layout::kPieceNames)) return pieces;
  const auto ids = file.rows<std::int32_t>(layout::kPieceNamesId),
             parents = file.rows<std::int32_t>(layout::kPieceNamesParent);
  if (std::ssize(ids) != num_pieces) throw file.damaged(layout::kPieceNamesId);
  if (parents.size() != ids.size()) throw file.damaged(layout::kPieceNamesParent);
  for (std::size_t p = 0; p < ids.size(); ++p) {
    if (ids[p] < 0) throw file.damaged(layout::kPieceNamesId);
    if (parents[p] < -1 || parents[p] >= ids[p]) throw file.damaged(layout::kPieceNamesParent);
    pieces.push_back({ids[p], parents[p]});
  }
  return pieces;
}

SnapshotHeader read_header(const Hdf5Reader& file) {
  using namespace layout;
  SnapshotHeader header;
  header.form = read_form(file);
  read_moment(file, header);
  header.material_names = file.texts(kMaterialNames);
  header.groups = read_groups(file);
  header.piece_names = read_piece_names(file, header.num_pieces);
  const auto scene = file.texts(kScene);
  if (scene.size() != 1) throw file.damaged(kScene);
  header.scene = scene.front();

  const auto names = file.texts(kColliderName), kinds = file.texts(kColliderKind);
  if (kinds.size() != names.size()) throw file.damaged(kColliderKind);
  const auto count = std::ssize(names);
  const auto centres = file.rows<Vec3>(kColliderCentre, 0, count), sizes = file.rows<Vec3>(kColliderSize, 0, count);
  const auto orientations = file.rows<std::array<double, 4>>(kColliderOrientation, 0, count);
  for (std::size_t i = 0; i < names.size(); ++i)
    header.colliders.push_back({names[i], kinds[i], centres[i], sizes[i], orientations[i]});
  read_collider_meshes(file, header.colliders);
  for (const Collider& collider : header.colliders) check_collider(file, collider);
  if (!file.has(kColliderVelocity)) return header;
  const auto velocities = file.rows<Vec3>(kColliderVelocity, 0, count),
             spins = file.rows<Vec3>(kColliderSpin, 0, count);
  for (std::size_t i = 0; i < names.size(); ++i) {
    header.colliders[i].velocity = velocities[i];
    header.colliders[i].angular_velocity = spins[i];
  }
  return header;
}

/// Corners of tets as stored in the file: numbers of nodes within a part.
std::vector<std::array<std::int64_t, 4>> read_corners(const Hdf5Reader& file, const core::Block& which) {
  const auto flat = file.rows<std::int64_t>(layout::kConnectivity, 4 * which.first, 4 * which.count);
  std::vector<std::array<std::int64_t, 4>> tets(static_cast<std::size_t>(which.count));
  if (!flat.empty()) std::memcpy(tets.data(), flat.data(), flat.size() * sizeof(std::int64_t));
  return tets;
}

std::vector<StateColumn> read_state(const Hdf5Reader& file, const char* names, const char* units, const char* group,
                                    const Range& range) {
  std::vector<StateColumn> state;
  if (!file.has(layout::kState)) return state;
  const auto titles = file.texts(names), unit_texts = file.texts(units);
  if (unit_texts.size() != titles.size()) throw file.damaged(units);
  for (std::size_t i = 0; i < titles.size(); ++i) {
    const std::string path = std::string(group) + "/" + titles[i];
    const std::size_t width = file.width(path.c_str());
    if (file.num_rows(path.c_str()) != range.in_file) throw file.damaged(path);
    StateColumn& column = state.emplace_back(StateColumn{titles[i], unit_texts[i], width, {}});
    column.values.resize(static_cast<std::size_t>(range.total) * width);
    file.rows(path.c_str(), {range.offset, range.total}, memory_type<double>(), column.values.data());
  }
  return state;
}

SnapshotPart read_part(const Hdf5Reader& file, const FrameForm& form, std::int64_t first, std::int64_t count,
                       ReadColumns columns) {
  using namespace layout;
  SnapshotPart part;
  const bool all = columns == ReadColumns::all;
  const Range nodes = part_range(file, kNumPoints, first, count);
  part.node_id = file.rows<std::int64_t>(kNodeId, nodes.offset, nodes.total);
  part.node_owned = file.rows<std::uint8_t>(kOwned, nodes.offset, nodes.total);
  if (form.has("rest_position")) part.rest_position = file.rows<Vec3>(kRestPosition, nodes.offset, nodes.total);
  part.position = file.rows<Vec3>(kPoints, nodes.offset, nodes.total);
  if (form.has("velocity")) part.velocity = file.rows<Vec3>(kVelocity, nodes.offset, nodes.total);
  if (all) part.node_state = read_state(file, kNodeState, kNodeStateUnits, kPointData, nodes);

  const Range tets = part_range(file, kNumCells, first, count);
  part.element_id = file.rows<std::int64_t>(kElementId, tets.offset, tets.total);
  if (!form.surface_only) {
    part.tets = read_corners(file, {tets.offset, tets.total});
    join_corners(file, kConnectivity, nodes.before, tets.before, 0, part.tets);
  }
  part.material = file.rows<std::int32_t>(kMaterial, tets.offset, tets.total);
  if (file.has(kTetGroup)) part.group = file.rows<std::int32_t>(kTetGroup, tets.offset, tets.total);
  part.piece = file.rows<std::int64_t>(kPiece, tets.offset, tets.total);
  // Code that counts pieces allocates up to the highest number; each piece has four triangles or more, or a tet.
  for (const std::int64_t piece : part.piece)
    if (piece < 0 || piece >= tets.in_file) throw file.damaged(kPiece);
  if (all && form.has("stress")) part.stress = file.rows<SymMat3>(kStress, tets.offset, tets.total);
  if (all && file.has(kPlasticStrain))
    part.plastic_strain = file.rows<SymMat3>(kPlasticStrain, tets.offset, tets.total);
  if (all) part.element_state = read_state(file, kElementState, kElementStateUnits, kCellData, tets);

  const Range triangles = part_range(file, kNumTriangles, first, count);
  part.boundary = file.rows<std::array<std::int64_t, 3>>(kCorners, triangles.offset, triangles.total);
  join_corners(file, kCorners, nodes.before, triangles.before, 0, part.boundary);
  part.boundary_element = file.rows<std::int64_t>(kBoundaryElement, triangles.offset, triangles.total);
  part.source_triangle = file.rows<std::int64_t>(kSourceTriangle, triangles.offset, triangles.total);
  if (form.surface_only && part.boundary_element != part.element_id) throw file.damaged(kBoundaryElement);
  return part;
}

}  // namespace

Snapshot read_snapshot(const std::filesystem::path& path, std::int64_t first, std::int64_t count, ReadColumns columns) {
  const QuietHdf5 quiet;
  const Hdf5Reader file = open_snapshot(path);
  const std::int64_t parts = file.num_rows(layout::kNumPoints);
  if (count < 0) count = parts - first;
  if (first < 0 || first > parts || count > parts - first)
    throw core::Error(path.string() + " has parts 0 to " + std::to_string(parts - 1) + ", asked for " +
                      std::to_string(count) + " from " + std::to_string(first) + " on.");
  SnapshotHeader header = read_header(file);
  SnapshotPart part = read_part(file, header.form, first, count, columns);
  if (first == 0) part.dust = read_dust(file);
  Snapshot snapshot{std::move(header), std::move(part)};
  if (!mesh::are_groups(snapshot.header.groups, snapshot.part.group)) throw file.damaged(layout::kTetGroup);
  return snapshot;
}

MeshRows read_mesh_rows(const std::filesystem::path& path, int rank, int num_ranks) {
  using namespace layout;
  const QuietHdf5 quiet;
  const Hdf5Reader file = open_snapshot(path);
  MeshRows rows;
  rows.header = read_header(file);
  if (const FrameForm& form = rows.header.form; form.surface_only || !form.has("rest_position"))
    throw core::Error(path.string() +
                      (form.surface_only ? ": a frame of the surface alone holds no tets."
                                         : ": the frame was written without rest_position.") +
                      " Give a whole frame, or a mesh.");
  const std::vector<std::int64_t> nodes_before = rows_before_parts(file, kNumPoints),
                                  tets_before = rows_before_parts(file, kNumCells),
                                  triangles_before = rows_before_parts(file, kNumTriangles);
  rows.num_nodes = nodes_before.back();
  const core::Block nodes = core::block_of(rows.num_nodes, rank, num_ranks),
                    tets = core::block_of(tets_before.back(), rank, num_ranks),
                    triangles = core::block_of(triangles_before.back(), rank, num_ranks);
  rows.node_id = file.rows<std::int64_t>(kNodeId, nodes.first, nodes.count);
  rows.node_owned = file.rows<std::uint8_t>(kOwned, nodes.first, nodes.count);
  rows.rest_position = file.rows<Vec3>(kRestPosition, nodes.first, nodes.count);
  rows.position = file.rows<Vec3>(kPoints, nodes.first, nodes.count);
  if (rows.header.form.has("velocity")) rows.velocity = file.rows<Vec3>(kVelocity, nodes.first, nodes.count);
  rows.element_id = file.rows<std::int64_t>(kElementId, tets.first, tets.count);
  rows.tets = read_corners(file, tets);
  join_corners(file, kConnectivity, nodes_before, tets_before, tets.first, rows.tets);
  rows.material = file.rows<std::int32_t>(kMaterial, tets.first, tets.count);
  if (file.has(kTetGroup)) rows.group = file.rows<std::int32_t>(kTetGroup, tets.first, tets.count);
  if (!mesh::are_groups(rows.header.groups, rows.group)) throw file.damaged(kTetGroup);
  rows.boundary = file.rows<std::array<std::int64_t, 3>>(kCorners, triangles.first, triangles.count);
  join_corners(file, kCorners, nodes_before, triangles_before, triangles.first, rows.boundary);
  rows.boundary_element = file.rows<std::int64_t>(kBoundaryElement, triangles.first, triangles.count);
  rows.source_triangle = file.rows<std::int64_t>(kSourceTriangle, triangles.first, triangles.count);
  for (const auto* ids : {&rows.node_id, &rows.element_id, &rows.boundary_element})
    for (const std::int64_t id : *ids)
      if (id < 0 || id > kMostRows) throw file.damaged(ids == &rows.node_id ? kNodeId : kElementId);
  return rows;
}

std::int64_t num_tets(const std::filesystem::path& path) {
  const QuietHdf5 quiet;
  const Hdf5Reader file = open_snapshot(path);
  return read_form(file).surface_only ? 0 : rows_before_parts(file, layout::kNumCells).back();
}

SnapshotHeader read_snapshot_header(const std::filesystem::path& path) {
  const QuietHdf5 quiet;
  return read_header(open_snapshot(path));
}

std::int64_t num_parts(const std::filesystem::path& path) {
  const QuietHdf5 quiet;
  return open_snapshot(path).num_rows(layout::kNumPoints);
}

}  // namespace brisance::io
