#include "app/modes/vibrate.hpp"

#include "brisance/breaking/vibration_file.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/progress.hpp"
#include "brisance/core/words.hpp"
#include "brisance/material/presets.hpp"
#include "brisance/modes/body/divided_body.hpp"
#include "brisance/modes/spectral/vibration.hpp"

#include "app/cli/version.hpp"

#include <utility>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

material::Material material_called(const std::string& name) {
  if (const auto material = material::preset(name)) return *material;
  std::string names;
  for (const std::string_view known : material::preset_names()) names.append(" ").append(known);
  throw core::BadInput(fmt::format("There is no material \"{}\". Known ones:{}.", name, names));
}

/// What this rank writes into the file: its block of nodes and tets, and the displacements of these nodes in each mode.
breaking::VibrationFile in_blocks(const modes::Simplices& block, const modes::DividedBody& body,
                                  std::vector<modes::VibrationMode> found) {
  breaking::VibrationFile file;
  file.mesh.nodes = block.nodes;
  for (std::int32_t t = 0; t < block.num_cells(); ++t) {
    const auto tet = block.cell(t);
    file.mesh.tets.push_back({tet[0], tet[1], tet[2], tet[3]});
  }
  for (modes::VibrationMode& mode : found) mode.displacement = body.node_block.store(mode.displacement);
  file.modes = std::move(found);
  file.program = fmt::format("brisance {}", kVersion);
  return file;
}

}  // namespace

void vibrate(const core::Comm& comm, mesh::TetMesh mesh, const std::string& preset, std::int32_t count,
             const std::filesystem::path& out) {
  const modes::Simplices block = modes::scatter_blocks(comm, modes::simplices(std::exchange(mesh, {})));
  const material::Material material = material_called(preset);
  if (material::is_anisotropic(material))
    throw core::BadInput(fmt::format(
        "Vibrations of {} are not sought: its stiffness depends on the direction. Give an isotropic material.",
        preset));
  const modes::DividedBody body = modes::divide(comm, block, {});
  if (const std::int64_t num_parts = modes::count_parts(body); num_parts != 1)
    throw core::BadInput(
        fmt::format("The mesh falls into {} connected parts. Each vibrates by itself: give one at a time.", num_parts));
  const core::Heartbeat searching("searching for vibration modes");
  const modes::ElasticSolid solid{material.lame_lambda, material.lame_mu, material.density};
  breaking::VibrationFile file = in_blocks(block, body, modes::vibration_modes(body, solid, count));
  file.solid = solid;
  breaking::write_vibration_file(comm, out, file);
  for (std::size_t k = 0; k < file.modes.size(); ++k)
    spdlog::info("mode {:3}  {:.6g} Hz{}", k, file.modes[k].frequency_hz, k < 6 ? "  (rigid)" : "");
  spdlog::info("{} of {} in {}", core::counted(file.modes.size(), "vibration mode"), preset, out.string());
}

}  // namespace brisance::app
