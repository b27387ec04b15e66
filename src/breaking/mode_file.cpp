/// Reads mode files, and makes bodies of them.
#include "brisance/breaking/mode_file.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/array_file.hpp"
#include "brisance/mesh/limits.hpp"
#include "brisance/mesh/tets/boundary_faces.hpp"

#include "breaking/mode_file_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

namespace {

/// The file, and the distribution of its rows.
struct Source {
  const io::ArrayFileReader& file;
  const core::Comm& comm;

  /// This rank's rows of a table of `groups` groups of `group` rows in total.
  template <class T>
  std::vector<T> block(const std::string& name, std::int64_t groups, int width = 1, int group = 1) const {
    const auto w = static_cast<std::size_t>(width), g = static_cast<std::size_t>(group);
    if (file.num_rows(name, w) != static_cast<std::size_t>(groups) * g) file.damaged(name);
    return file.block_rows<T>(name, comm, w, g);
  }
  /// Total number of rows of a table.
  std::int64_t count(const std::string& name, int width, int group = 1) const {
    return static_cast<std::int64_t>(file.num_rows(name, static_cast<std::size_t>(width))) / group;
  }
};

/// Reads nodes, and cells with N corners each. @return total number of cells
template <std::size_t N>
std::int64_t read_cells(const Source& from, std::vector<Vec3>& nodes, std::vector<std::array<std::int32_t, N>>& cells) {
  const std::int64_t num_nodes = from.count("/VTKHDF/Points", 3);
  const std::int64_t num_cells = from.count("/VTKHDF/Connectivity", 1, N);
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (num_nodes > kMost || num_cells > kMost / 4) from.file.damaged("/VTKHDF/Points");
  const auto points = from.block<double>("/VTKHDF/Points", num_nodes, 3);
  for (std::size_t i = 0; i < points.size(); i += 3) nodes.emplace_back(points[i], points[i + 1], points[i + 2]);
  const auto corners = from.block<std::int64_t>("/VTKHDF/Connectivity", num_cells, 1, N);
  for (const std::int64_t corner : corners)
    if (corner < 0 || corner >= num_nodes) from.file.damaged("/VTKHDF/Connectivity");
  for (std::size_t i = 0; i < corners.size(); i += N) {
    std::array<std::int32_t, N> cell;
    for (std::size_t k = 0; k < N; ++k) cell[k] = static_cast<std::int32_t>(corners[i + k]);
    cells.push_back(cell);
  }
  return num_cells;
}

/// An optional table of integers on the cells.
std::vector<std::int32_t> read_optional(const Source& from, const std::string& name, std::int64_t num_cells,
                                        int width = 1) {
  if (!from.file.has(name)) return {};
  return from.block<std::int32_t>(name, num_cells, width);
}

/// Reads the body's cells. @return their total number
std::int64_t read_mesh(const Source& from, mesh::TetMesh& mesh) {
  const std::int64_t num_cells = read_cells(from, mesh.nodes, mesh.tets);
  const auto source = read_optional(from, "/brisance_modes/face_source", num_cells, 4);
  for (std::size_t i = 0; i < source.size(); i += 4)
    mesh.face_source.push_back({source[i], source[i + 1], source[i + 2], source[i + 3]});
  for (const std::int32_t s : source)
    if (s < mesh::kNoSourceTriangle) from.file.damaged("/brisance_modes/face_source");
  mesh.region = read_optional(from, "/VTKHDF/CellData/region", num_cells);
  return num_cells;
}

std::int64_t read_plane(const Source& from, mesh::PlaneMesh& plane) {
  const std::int64_t num_cells = read_cells(from, plane.surface.vertices, plane.surface.triangles);
  plane.surface.source_face = from.block<std::int32_t>("/VTKHDF/CellData/source_face", num_cells);
  plane.region = read_optional(from, "/VTKHDF/CellData/region", num_cells);
  return num_cells;
}

/// Rejects invalid numbers here, where the file can be named.
void require(const io::ArrayFileReader& file, bool right, const std::string& what) {
  if (!right) file.damaged(what);
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

bool all_positive(const std::vector<double>& values) {
  return all_finite(values) && std::all_of(values.begin(), values.end(), [](double v) { return v > 0; });
}

/// Checks the settings with which a search would be continued.
void check_settings(const io::ArrayFileReader& file, const ModeFile& modes) {
  require(file, modes.scalar_count > 0, "attribute /brisance_modes/scalar_count");
  require(file, modes.relative_gap > 0 && modes.relative_gap < 1, "attribute /brisance_modes/relative_gap");
  require(file, modes.starts > 0, "attribute /brisance_modes/starts");
  require(file, modes.smallest_share >= 0 && modes.smallest_share < 1, "attribute /brisance_modes/smallest_share");
}

/// Reads the data of each mode as a whole; the same on every rank.
void read_energies(const io::ArrayFileReader& file, std::int64_t num_cells, modes::ModeSet& set) {
  const auto energy = file.rows<double>("/brisance_modes/energy");
  const auto strain = file.rows<double>("/brisance_modes/strain_energy");
  const auto gap = file.rows<double>("/brisance_modes/relative_gap");
  const auto part = file.rows<std::int32_t>("/brisance_modes/part");
  const auto settled = file.rows<std::int32_t>("/brisance_modes/settled");
  const auto steps = file.rows<std::int64_t>("/brisance_modes/num_steps");
  const auto convex = file.rows<double>("/brisance_modes/convex_energy");
  const auto convex_gap = file.rows<double>("/brisance_modes/convex_gap");
  if (convex_gap.size() != convex.size()) file.damaged("/brisance_modes/convex_gap");
  if (gap.size() != energy.size() || part.size() != energy.size() || steps.size() != energy.size() ||
      settled.size() != energy.size() || strain.size() != energy.size())
    file.damaged("/brisance_modes/energy");
  const auto strength = file.rows<double>("/brisance_modes/axis_strength");
  if (strength.size() != set.axis_strength.size()) file.damaged("/brisance_modes/axis_strength");
  require(file, all_positive(strength), "/brisance_modes/axis_strength");
  std::copy(strength.begin(), strength.end(), set.axis_strength.begin());
  require(file, all_finite(energy) && std::all_of(energy.begin(), energy.end(), [](double e) { return e >= 0; }),
          "/brisance_modes/energy");
  require(file, all_finite(strain), "/brisance_modes/strain_energy");
  require(file, all_finite(gap), "/brisance_modes/relative_gap");
  require(file, all_finite(convex), "/brisance_modes/convex_energy");
  require(file, all_finite(convex_gap), "/brisance_modes/convex_gap");
  for (const std::int32_t p : part) require(file, p >= 0 && p < num_cells, "/brisance_modes/part");
  std::size_t next = 0;
  for (std::size_t k = 0; k < energy.size(); ++k) {
    modes::Mode& mode = set.modes.emplace_back();
    mode.energy = energy[k];
    mode.strain_energy = strain[k];
    mode.relative_gap = gap[k];
    mode.part = part[k];
    mode.settled = settled[k] != 0;
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(steps[k], 0));
    if (count > convex.size() - next) file.damaged("/brisance_modes/num_steps");
    const auto first = static_cast<std::ptrdiff_t>(next), last = static_cast<std::ptrdiff_t>(next + count);
    mode.convex_energies.assign(convex.begin() + first, convex.begin() + last);
    mode.convex_gaps.assign(convex_gap.begin() + first, convex_gap.begin() + last);
    next += count;
  }
}

/// The values of mode k on this rank's cells and faces.
void read_values(const Source& from, std::int64_t num_cells, std::int64_t num_faces, std::size_t k, int components,
                 modes::Mode& mode) {
  const auto read = [&](const std::string& name, std::int64_t groups, int width, int group) {
    auto values = from.block<double>(name, groups, width, group);
    require(from.file, all_finite(values), name);
    return values;
  };
  mode.value = read(mode_name(k), num_cells, components, 1);
  if (from.file.has(jump_name(k))) mode.jump = read(jump_name(k), num_faces, 1, 1);
  if (from.file.has(corner_name(k))) mode.corner_value = read(corner_name(k), num_cells, components, components + 1);
}

void require_our_version(const io::ArrayFileReader& reader, const std::filesystem::path& file) {
  if (!reader.has(kOurs))
    throw core::Error(file.string() + " is an HDF5 file but holds no fracture modes. `brisance modes` makes them.");
  if (const std::int64_t version = reader.integer(kOurs, "format_version"); version != kModeFileVersion)
    throw core::Error(
        fmt::format("{} is a mode file of version {}, this program reads version {}. Use the version of "
                    "brisance that wrote it ({}).",
                    file.string(), version, kModeFileVersion, reader.text(kOurs, "program")));
}

/// An integer whose triple still fits the type.
std::int32_t whole_number(const io::ArrayFileReader& reader, const char* name) {
  constexpr std::int64_t kMost = 500'000'000;
  const std::int64_t number = reader.integer(kOurs, name);
  if (number < 0 || number > kMost) reader.damaged(std::string("attribute /brisance_modes/") + name);
  return static_cast<std::int32_t>(number);
}

void read_settings(const io::ArrayFileReader& reader, ModeFile& modes) {
  modes.program = reader.text(kOurs, "program");
  const std::string weights = reader.text(kOurs, "weights");
  if (weights != "area" && weights != "sqrt-area") reader.damaged("attribute /brisance_modes/weights");
  modes.modes.weighting = weights == "area" ? modes::Weighting::area : modes::Weighting::sqrt_area;
  modes.modes.dimension = whole_number(reader, "dimension");
  modes.modes.components = whole_number(reader, "components");
  if (modes.modes.dimension != 2 && modes.modes.dimension != 3) reader.damaged("attribute /brisance_modes/dimension");
  if (modes.modes.components != 1 && modes.modes.components != modes.modes.dimension)
    reader.damaged("attribute /brisance_modes/components");
  modes.scalar_count = whole_number(reader, "scalar_count");
  modes.method = reader.text(kOurs, "method");
  modes.relative_gap = reader.number(kOurs, "relative_gap");
  modes.starts = whole_number(reader, "starts");
  modes.smallest_share = reader.number(kOurs, "smallest_share");
  modes.refined = reader.integer(kOurs, "refined") != 0;
  modes.complete = reader.integer(kOurs, "complete") != 0;
}

/// Reads this rank's blocks. Local.
ModeFile read_block(const core::Comm& comm, const std::filesystem::path& file) {
  const io::ArrayFileReader reader(file);
  const Source from{reader, comm};
  require_our_version(reader, file);
  ModeFile block;
  read_settings(reader, block);
  const std::int64_t num_cells =
      block.modes.dimension == 2 ? read_plane(from, block.plane) : read_mesh(from, block.mesh);
  check_settings(reader, block);
  for (const Vec3& x : simplices_of(block).nodes) require(reader, mesh::is_place(x), "/VTKHDF/Points");
  const std::int64_t num_faces = from.count("/brisance_modes/face_cells", 2);
  block.face_weight = from.block<double>("/brisance_modes/face_weight", num_faces);
  require(reader, all_positive(block.face_weight), "/brisance_modes/face_weight");
  block.no_break = read_optional(from, "/VTKHDF/CellData/no_break", num_cells);
  read_energies(reader, num_cells, block.modes);
  for (std::size_t k = 0; k < block.modes.modes.size(); ++k)
    read_values(from, num_cells, num_faces, k, block.modes.components, block.modes.modes[k]);
  block.cpu_s = reader.rows<double>("/brisance_modes/cpu_s");
  if (block.cpu_s.size() != block.modes.modes.size() || !all_finite(block.cpu_s))
    reader.damaged("/brisance_modes/cpu_s");
  return block;
}

}  // namespace

ModeFile read_mode_file(const core::Comm& comm, const std::filesystem::path& file) {
  ModeFile block;
  core::agree(comm, [&] { block = read_block(comm, file); });
  return block;
}

bool is_exact(const std::filesystem::path& file) {
  const io::ArrayFileReader reader(file);
  require_our_version(reader, file);
  return reader.text(kOurs, "method") == "exact";
}

void check_volumes(const std::filesystem::path& file, std::span<const double> volume) {
  if (!std::all_of(volume.begin(), volume.end(), [](double v) { return v > 0; }))
    throw io::damaged(file, "/VTKHDF/Connectivity");
}

void check_num_faces(const std::filesystem::path& file, const ModeFile& block, std::size_t num_faces) {
  if (block.face_weight.size() != num_faces) throw io::damaged(file, "/brisance_modes/face_weight");
}

namespace {

/// Number of faces between cells; an error that names the file if three cells share one.
std::size_t num_faces_of(const std::filesystem::path& file, const modes::Simplices& mesh) {
  try {
    return modes::cell_graph(mesh).faces.size();
  } catch (const core::Error& e) {
    throw core::Error(file.string() + ": " + e.what());
  }
}

}  // namespace

ModeFile read_mode_file(const std::filesystem::path& file) {
  ModeFile whole = read_mode_file(core::Comm(MPI_COMM_SELF), file);
  const modes::Simplices mesh = simplices_of(whole);
  std::vector<double> volume;
  for (std::int32_t c = 0; c < mesh.num_cells(); ++c) volume.push_back(modes::cell_volume(mesh, c));
  check_volumes(file, volume);  // before the graph, whose error about cells without volume does not name the file
  check_num_faces(file, whole, num_faces_of(file, mesh));
  if (whole.modes.dimension == 3 && whole.mesh.face_source.empty()) (void)mesh::number_boundary(whole.mesh);
  return whole;
}

modes::Body body_of(const ModeFile& file) {
  modes::Body body;
  body.mesh = simplices_of(file);
  body.graph = modes::cell_graph(body.mesh);
  body.face_weight = file.face_weight;
  body.eta = modes::strength_factors(body.graph, file.modes.weighting, file.face_weight);
  body.no_break = file.no_break;
  return body;
}

const std::vector<std::int32_t>& region_of(const ModeFile& file) {
  return file.modes.dimension == 2 ? file.plane.region : file.mesh.region;
}

}  // namespace brisance::breaking
