#include "brisance/sim/vibration_file.hpp"

#include "brisance/io/array_file.hpp"

#include "sim/vtk_mesh.hpp"

#include <cstdint>

#include <spdlog/fmt/fmt.h>

namespace brisance::sim {

void write_vibration_file(const std::filesystem::path& file, const VibrationFile& vibration) {
  constexpr const char* kOurs = "/brisance_vibration";
  const std::size_t numbers =
      3 * vibration.mesh.nodes.size() * (1 + vibration.modes.size()) + 6 * vibration.mesh.tets.size();
  io::ArrayFileWriter writer(file, numbers * sizeof(double));
  for (const char* group : {"/VTKHDF", "/VTKHDF/PointData", "/VTKHDF/CellData", kOurs}) writer.group(group);
  writer.vtk_attributes();
  writer.number(kOurs, "format_version", std::int64_t{1});
  writer.text(kOurs, "program", vibration.program);
  writer.number(kOurs, "lame_lambda_Pa", vibration.solid.lame_lambda);
  writer.number(kOurs, "lame_mu_Pa", vibration.solid.lame_mu);
  writer.number(kOurs, "density_kg_m3", vibration.solid.density);
  write_vtk_mesh(writer, modes::simplices(vibration.mesh));
  std::vector<double> frequency;
  for (std::size_t k = 0; k < vibration.modes.size(); ++k) {
    frequency.push_back(vibration.modes[k].frequency_hz);
    writer.rows(fmt::format("/VTKHDF/PointData/vibration_{:03}", k), flat<double>(vibration.modes[k].displacement), 3);
  }
  writer.rows("/brisance_vibration/frequency_Hz", frequency);
  writer.publish();
}

}  // namespace brisance::sim
