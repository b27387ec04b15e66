/// Mode files are also VTKHDF files with one cell array a mode: ParaView shows them as they are.
#include "brisance/sim/mode_file.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/array_file.hpp"

#include "sim/vtk_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <spdlog/fmt/fmt.h>

namespace brisance::sim {

namespace {

constexpr const char* kOurs = "/brisance_modes";

std::string mode_name(std::size_t k) { return fmt::format("/VTKHDF/CellData/mode_{:03}", k); }
std::string jump_name(std::size_t k) { return fmt::format("/brisance_modes/jump_{:03}", k); }
std::string corner_name(std::size_t k) { return fmt::format("/brisance_modes/corner_{:03}", k); }

modes::Simplices simplices_of(const ModeFile& file) {
  return file.modes.dimension == 2 ? modes::simplices(file.plane) : modes::simplices(file.mesh);
}

void write_mesh(io::ArrayFileWriter& file, const ModeFile& modes, const modes::Simplices& mesh) {
  write_vtk_mesh(file, mesh);
  if (modes.modes.dimension == 2)
    file.rows("/VTKHDF/CellData/source_face", modes.plane.surface.source_face);
  else if (!modes.mesh.face_source.empty())
    file.rows("/brisance_modes/face_source", flat<std::int32_t>(modes.mesh.face_source), 4);
  if (!region_of(modes).empty()) file.rows("/VTKHDF/CellData/region", region_of(modes));
}

void write_graph(io::ArrayFileWriter& file, const modes::CellGraph& graph, const std::vector<double>& face_weight) {
  std::vector<std::int32_t> cells;
  std::vector<double> areas;
  for (const modes::Face& face : graph.faces) {
    cells.insert(cells.end(), {face.a, face.b});
    areas.push_back(face.area);
  }
  file.rows("/VTKHDF/CellData/volume", graph.volume);
  file.rows("/brisance_modes/face_cells", cells, 2);
  file.rows("/brisance_modes/face_area", areas);
  file.rows("/brisance_modes/face_weight", face_weight);
}

void write_modes(io::ArrayFileWriter& file, const modes::ModeSet& set) {
  std::vector<double> energy, strain, gap, convex, convex_gap;
  std::vector<std::int64_t> steps;
  std::vector<std::int32_t> part, settled;
  for (std::size_t k = 0; k < set.modes.size(); ++k) {
    const modes::Mode& mode = set.modes[k];
    file.rows(mode_name(k), mode.value, static_cast<std::size_t>(set.components));
    if (!mode.jump.empty()) file.rows(jump_name(k), mode.jump);
    if (!mode.corner_value.empty())
      file.rows(corner_name(k), mode.corner_value, static_cast<std::size_t>(set.components));
    energy.push_back(mode.energy);
    strain.push_back(mode.strain_energy);
    gap.push_back(mode.relative_gap);
    part.push_back(mode.part);
    settled.push_back(mode.settled ? 1 : 0);
    convex.insert(convex.end(), mode.convex_energies.begin(), mode.convex_energies.end());
    convex_gap.insert(convex_gap.end(), mode.convex_gaps.begin(), mode.convex_gaps.end());
    steps.push_back(static_cast<std::int64_t>(mode.convex_energies.size()));
  }
  file.rows("/brisance_modes/energy", energy);
  file.rows("/brisance_modes/strain_energy", strain);
  file.rows("/brisance_modes/relative_gap", gap);
  file.rows("/brisance_modes/part", part);
  file.rows("/brisance_modes/settled", settled);
  file.rows("/brisance_modes/axis_strength", std::vector<double>(set.axis_strength.begin(), set.axis_strength.end()));
  file.rows("/brisance_modes/num_steps", steps);
  file.rows("/brisance_modes/convex_energy", convex);
  file.rows("/brisance_modes/convex_gap", convex_gap);
}

/// Nodes and, N corners each, cells.
template <std::size_t N>
void read_cells(const io::ArrayFileReader& file, std::vector<Vec3>& nodes,
                std::vector<std::array<std::int32_t, N>>& cells) {
  const auto points = file.rows<double>("/VTKHDF/Points", 3);
  for (std::size_t i = 0; i < points.size(); i += 3) nodes.emplace_back(points[i], points[i + 1], points[i + 2]);
  const auto corners = file.rows<std::int64_t>("/VTKHDF/Connectivity");
  if (corners.size() % N != 0) file.damaged("/VTKHDF/Connectivity");
  for (const std::int64_t corner : corners)
    if (corner < 0 || corner >= static_cast<std::int64_t>(nodes.size())) file.damaged("/VTKHDF/Connectivity");
  for (std::size_t i = 0; i < corners.size(); i += N) {
    std::array<std::int32_t, N> cell;
    for (std::size_t k = 0; k < N; ++k) cell[k] = static_cast<std::int32_t>(corners[i + k]);
    cells.push_back(cell);
  }
}

std::vector<std::int32_t> read_region(const io::ArrayFileReader& file, std::size_t num_cells) {
  if (!file.has("/VTKHDF/CellData/region")) return {};
  auto region = file.rows<std::int32_t>("/VTKHDF/CellData/region");
  if (region.size() != num_cells) file.damaged("/VTKHDF/CellData/region");
  return region;
}

mesh::TetMesh read_mesh(const io::ArrayFileReader& file) {
  mesh::TetMesh mesh;
  read_cells(file, mesh.nodes, mesh.tets);
  if (file.has("/brisance_modes/face_source")) {
    const auto source = file.rows<std::int32_t>("/brisance_modes/face_source", 4);
    if (source.size() != 4 * mesh.tets.size()) file.damaged("/brisance_modes/face_source");
    for (std::size_t i = 0; i < source.size(); i += 4)
      mesh.face_source.push_back({source[i], source[i + 1], source[i + 2], source[i + 3]});
  }
  mesh.region = read_region(file, mesh.tets.size());
  return mesh;
}

mesh::PlaneMesh read_plane(const io::ArrayFileReader& file) {
  mesh::PlaneMesh plane;
  read_cells(file, plane.surface.vertices, plane.surface.triangles);
  plane.surface.source_face = file.rows<std::int32_t>("/VTKHDF/CellData/source_face");
  if (plane.surface.source_face.size() != plane.surface.triangles.size()) file.damaged("/VTKHDF/CellData/source_face");
  plane.region = read_region(file, plane.surface.triangles.size());
  return plane;
}

/// Numbers that nothing could be done with end the reading here, where the file has a name.
void require(const io::ArrayFileReader& file, bool right, const std::string& what) {
  if (!right) file.damaged(what);
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

bool all_positive(const std::vector<double>& values) {
  return all_finite(values) && std::all_of(values.begin(), values.end(), [](double v) { return v > 0; });
}

/// Nodes somewhere, cells with a volume and oriented.
void check_cells(const io::ArrayFileReader& file, const modes::Simplices& mesh) {
  for (const Vec3& x : mesh.nodes) require(file, x.allFinite(), "/VTKHDF/Points");
  for (std::int32_t c = 0; c < mesh.num_cells(); ++c)
    require(file, modes::cell_volume(mesh, c) > 0, "/VTKHDF/Connectivity");
}

/// What a search that goes on would work with.
void check_settings(const io::ArrayFileReader& file, const ModeFile& modes) {
  require(file, modes.scalar_count > 0, "attribute /brisance_modes/scalar_count");
  require(file, modes.relative_gap > 0 && modes.relative_gap < 1, "attribute /brisance_modes/relative_gap");
  require(file, modes.starts > 0, "attribute /brisance_modes/starts");
  require(file, modes.smallest_share >= 0 && modes.smallest_share < 1, "attribute /brisance_modes/smallest_share");
}

void read_modes(const io::ArrayFileReader& file, std::size_t num_cells, std::size_t num_faces, modes::ModeSet& set) {
  const auto components = static_cast<std::size_t>(set.components);
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
  for (const std::int32_t p : part)
    require(file, p >= 0 && p < static_cast<std::int32_t>(num_cells), "/brisance_modes/part");
  std::size_t next = 0;
  for (std::size_t k = 0; k < energy.size(); ++k) {
    modes::Mode mode;
    mode.value = file.rows<double>(mode_name(k), components);
    require(file, mode.value.size() == num_cells * components && all_finite(mode.value), mode_name(k));
    if (file.has(jump_name(k))) {
      mode.jump = file.rows<double>(jump_name(k));
      require(file, mode.jump.size() == num_faces && all_finite(mode.jump), jump_name(k));
    }
    if (file.has(corner_name(k))) {
      mode.corner_value = file.rows<double>(corner_name(k), components);
      require(file,
              mode.corner_value.size() == num_cells * components * (components + 1) && all_finite(mode.corner_value),
              corner_name(k));
    }
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
    set.modes.push_back(std::move(mode));
  }
}

}  // namespace

void write_mode_file(const std::filesystem::path& file, const ModeFile& modes) {
  const modes::Simplices mesh = simplices_of(modes);
  const modes::CellGraph graph = modes::cell_graph(mesh);
  std::size_t numbers = 3 * mesh.nodes.size() + graph.faces.size() * 3 + graph.volume.size() * 10;
  for (const modes::Mode& mode : modes.modes.modes)
    numbers += mode.value.size() + mode.jump.size() + mode.corner_value.size();
  io::ArrayFileWriter writer(file, numbers * sizeof(double));
  for (const char* group : {"/VTKHDF", "/VTKHDF/PointData", "/VTKHDF/CellData", kOurs}) writer.group(group);
  writer.vtk_attributes();
  writer.number(kOurs, "format_version", kModeFileVersion);
  writer.text(kOurs, "program", modes.program);
  writer.text(kOurs, "weights", modes.modes.weighting == modes::Weighting::area ? "area" : "sqrt-area");
  writer.number(kOurs, "dimension", std::int64_t{modes.modes.dimension});
  writer.number(kOurs, "components", std::int64_t{modes.modes.components});
  writer.number(kOurs, "scalar_count", std::int64_t{modes.scalar_count});
  writer.text(kOurs, "method", modes.method);
  writer.number(kOurs, "relative_gap", modes.relative_gap);
  writer.number(kOurs, "starts", std::int64_t{modes.starts});
  writer.number(kOurs, "smallest_share", modes.smallest_share);
  writer.number(kOurs, "refined", std::int64_t{modes.refined ? 1 : 0});
  writer.number(kOurs, "complete", std::int64_t{modes.complete ? 1 : 0});
  write_mesh(writer, modes, mesh);
  if (!modes.no_break.empty()) writer.rows("/VTKHDF/CellData/no_break", modes.no_break);
  write_graph(writer, graph, modes.face_weight);
  write_modes(writer, modes.modes);
  writer.rows("/brisance_modes/cpu_s", modes.cpu_s);
  writer.publish();
}

ModeFile read_mode_file(const std::filesystem::path& file) {
  const io::ArrayFileReader reader(file);
  if (!reader.has(kOurs))
    throw core::Error(file.string() + " is an HDF5 file but holds no fracture modes. `brisance modes` makes them.");
  if (const std::int64_t version = reader.integer(kOurs, "format_version"); version != kModeFileVersion)
    throw core::Error(
        fmt::format("{} is a mode file of version {}, this program reads version {}. Use the version of "
                    "brisance that wrote it ({}).",
                    file.string(), version, kModeFileVersion, reader.text(kOurs, "program")));
  ModeFile modes;
  modes.program = reader.text(kOurs, "program");
  const std::string weights = reader.text(kOurs, "weights");
  if (weights != "area" && weights != "sqrt-area") reader.damaged("attribute /brisance_modes/weights");
  modes.modes.weighting = weights == "area" ? modes::Weighting::area : modes::Weighting::sqrt_area;
  modes.modes.dimension = static_cast<int>(reader.integer(kOurs, "dimension"));
  modes.modes.components = static_cast<int>(reader.integer(kOurs, "components"));
  if (modes.modes.dimension != 2 && modes.modes.dimension != 3) reader.damaged("attribute /brisance_modes/dimension");
  if (modes.modes.components != 1 && modes.modes.components != modes.modes.dimension)
    reader.damaged("attribute /brisance_modes/components");
  modes.scalar_count = static_cast<std::int32_t>(reader.integer(kOurs, "scalar_count"));
  modes.method = reader.text(kOurs, "method");
  modes.relative_gap = reader.number(kOurs, "relative_gap");
  modes.starts = static_cast<std::int32_t>(reader.integer(kOurs, "starts"));
  modes.smallest_share = reader.number(kOurs, "smallest_share");
  modes.refined = reader.integer(kOurs, "refined") != 0;
  modes.complete = reader.integer(kOurs, "complete") != 0;
  if (modes.modes.dimension == 2)
    modes.plane = read_plane(reader);
  else
    modes.mesh = read_mesh(reader);
  check_settings(reader, modes);
  check_cells(reader, simplices_of(modes));
  const modes::CellGraph graph = modes::cell_graph(simplices_of(modes));
  modes.face_weight = reader.rows<double>("/brisance_modes/face_weight");
  require(reader, modes.face_weight.size() == graph.faces.size() && all_positive(modes.face_weight),
          "/brisance_modes/face_weight");
  if (reader.has("/VTKHDF/CellData/no_break")) {
    modes.no_break = reader.rows<std::int32_t>("/VTKHDF/CellData/no_break");
    if (modes.no_break.size() != graph.volume.size()) reader.damaged("/VTKHDF/CellData/no_break");
  }
  read_modes(reader, graph.volume.size(), graph.faces.size(), modes.modes);
  modes.cpu_s = reader.rows<double>("/brisance_modes/cpu_s");
  if (modes.cpu_s.size() != modes.modes.modes.size()) reader.damaged("/brisance_modes/cpu_s");
  return modes;
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

}  // namespace brisance::sim
