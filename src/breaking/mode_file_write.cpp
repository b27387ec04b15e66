/// Mode files are also VTKHDF files with one cell array for each mode, which ParaView can open.
#include "brisance/breaking/mode_file.hpp"
#include "brisance/core/error.hpp"
#include "brisance/io/array_file.hpp"

#include "breaking/mode_file_layout.hpp"
#include "breaking/vtk_mesh.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace brisance::breaking {

namespace {

/// Optional tables are written if any rank has rows of them.
template <class T>
void write_optional(const core::Comm& comm, io::ArrayFileWriter& file, const std::string& name,
                    const std::vector<T>& values, int width = 1) {
  if (comm.any(!values.empty())) file.rows(name, values, static_cast<std::size_t>(width));
}

void write_mesh(const core::Comm& comm, io::ArrayFileWriter& file, const ModeFile& block) {
  write_vtk_mesh(comm, file, simplices_of(block));
  if (block.modes.dimension == 2)
    file.rows("/VTKHDF/CellData/source_face", block.plane.surface.source_face);
  else
    write_optional(comm, file, "/brisance_modes/face_source", flat<std::int32_t>(block.mesh.face_source), 4);
  write_optional(comm, file, "/VTKHDF/CellData/region", region_of(block));
  write_optional(comm, file, "/VTKHDF/CellData/no_break", block.no_break);
}

void write_graph(io::ArrayFileWriter& file, const modes::CellGraph& graph, const std::vector<double>& face_weight) {
  std::vector<std::int32_t> cells;
  std::vector<double> areas;
  for (const modes::Face& face : graph.faces) {
    cells.insert(cells.end(), {face.a, face.b});
    areas.push_back(face.area);
  }
  file.rows("/VTKHDF/CellData/volume", graph.volume);
  file.rows("/brisance_modes/face_cells", std::move(cells), 2);
  file.rows("/brisance_modes/face_area", std::move(areas));
  file.rows("/brisance_modes/face_weight", face_weight);
}

/// Writes the values of the modes on cells and faces.
void write_values(const core::Comm& comm, io::ArrayFileWriter& file, const modes::ModeSet& set) {
  for (std::size_t k = 0; k < set.modes.size(); ++k) {
    const modes::Mode& mode = set.modes[k];
    file.rows(mode_name(k), mode.value, static_cast<std::size_t>(set.components));
    write_optional(comm, file, jump_name(k), mode.jump);
    write_optional(comm, file, corner_name(k), mode.corner_value, set.components);
  }
}

/// Writes the data of each mode as a whole.
void write_energies(io::ArrayFileWriter& file, const modes::ModeSet& set) {
  std::vector<double> energy, strain, gap, convex, convex_gap;
  std::vector<std::int64_t> steps;
  std::vector<std::int32_t> part, settled;
  for (const modes::Mode& mode : set.modes) {
    energy.push_back(mode.energy);
    strain.push_back(mode.strain_energy);
    gap.push_back(mode.relative_gap);
    part.push_back(mode.part);
    settled.push_back(mode.settled ? 1 : 0);
    convex.insert(convex.end(), mode.convex_energies.begin(), mode.convex_energies.end());
    convex_gap.insert(convex_gap.end(), mode.convex_gaps.begin(), mode.convex_gaps.end());
    steps.push_back(static_cast<std::int64_t>(mode.convex_energies.size()));
  }
  file.rows_of_root("/brisance_modes/energy", energy);
  file.rows_of_root("/brisance_modes/strain_energy", strain);
  file.rows_of_root("/brisance_modes/relative_gap", gap);
  file.rows_of_root("/brisance_modes/part", part);
  file.rows_of_root("/brisance_modes/settled", settled);
  file.rows_of_root("/brisance_modes/axis_strength",
                    std::vector<double>(set.axis_strength.begin(), set.axis_strength.end()));
  file.rows_of_root("/brisance_modes/num_steps", steps);
  file.rows_of_root("/brisance_modes/convex_energy", convex);
  file.rows_of_root("/brisance_modes/convex_gap", convex_gap);
}

void write_settings(io::ArrayFileWriter& file, const ModeFile& modes) {
  file.number(kOurs, "format_version", kModeFileVersion);
  file.text(kOurs, "program", modes.program);
  file.text(kOurs, "weights", modes.modes.weighting == modes::Weighting::area ? "area" : "sqrt-area");
  file.number(kOurs, "dimension", std::int64_t{modes.modes.dimension});
  file.number(kOurs, "components", std::int64_t{modes.modes.components});
  file.number(kOurs, "scalar_count", std::int64_t{modes.scalar_count});
  file.text(kOurs, "method", modes.method);
  file.number(kOurs, "relative_gap", modes.relative_gap);
  file.number(kOurs, "starts", std::int64_t{modes.starts});
  file.number(kOurs, "smallest_share", modes.smallest_share);
  file.number(kOurs, "refined", std::int64_t{modes.refined ? 1 : 0});
  file.number(kOurs, "complete", std::int64_t{modes.complete ? 1 : 0});
}

}  // namespace

void write_mode_file(const core::Comm& comm, const std::filesystem::path& file, const ModeFile& block,
                     const modes::CellGraph& graph) {
  const std::size_t num_modes = block.modes.modes.size();
  if (comm.min(num_modes) != comm.max(num_modes))
    throw core::Error("the ranks do not have the same modes (a fault of the program, please report)");
  io::ArrayFileWriter writer(comm, file);
  for (const char* group : {"/VTKHDF", "/VTKHDF/PointData", "/VTKHDF/CellData", kOurs}) writer.group(group);
  writer.vtk_attributes();
  write_settings(writer, block);
  write_mesh(comm, writer, block);
  write_graph(writer, graph, block.face_weight);
  write_values(comm, writer, block.modes);
  write_energies(writer, block.modes);
  writer.rows_of_root("/brisance_modes/cpu_s", block.cpu_s);
  writer.publish();
}

void write_mode_file(const std::filesystem::path& file, const ModeFile& modes) {
  write_mode_file(core::Comm(MPI_COMM_SELF), file, modes, modes::cell_graph(simplices_of(modes)));
}

}  // namespace brisance::breaking
