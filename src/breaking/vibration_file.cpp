#include "brisance/breaking/vibration_file.hpp"

#include "brisance/io/array_file.hpp"

#include "breaking/vtk_mesh.hpp"

#include <cstdint>

#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

void write_vibration_file(const core::Comm& comm, const std::filesystem::path& file, const VibrationFile& block) {
  constexpr const char* kGroup = "/brisance_vibration";
  io::ArrayFileWriter writer(comm, file);
  for (const char* group : {"/VTKHDF", "/VTKHDF/PointData", "/VTKHDF/CellData", kGroup}) writer.group(group);
  writer.vtk_attributes();
  writer.number(kGroup, "format_version", std::int64_t{1});
  writer.text(kGroup, "program", block.program);
  writer.number(kGroup, "lame_lambda_Pa", block.solid.lame_lambda);
  writer.number(kGroup, "lame_mu_Pa", block.solid.lame_mu);
  writer.number(kGroup, "density_kg_m3", block.solid.density);
  write_vtk_mesh(comm, writer, modes::simplices(block.mesh));
  std::vector<double> frequency;
  for (std::size_t k = 0; k < block.modes.size(); ++k) {
    frequency.push_back(block.modes[k].frequency_hz);
    writer.rows(fmt::format("/VTKHDF/PointData/vibration_{:03}", k), flat<double>(block.modes[k].displacement), 3);
  }
  writer.rows_of_root("/brisance_vibration/frequency_Hz", frequency);
  writer.publish();
}

}  // namespace brisance::breaking
