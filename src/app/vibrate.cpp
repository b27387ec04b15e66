#include "app/vibrate.hpp"

#include "brisance/core/error.hpp"
#include "brisance/material/presets.hpp"
#include "brisance/modes/cell_graph.hpp"
#include "brisance/modes/vibration.hpp"
#include "brisance/sim/vibration_file.hpp"

#include "app/version.hpp"

#include <algorithm>
#include <span>
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

/// Nodes and tets of rank 0's mesh, on every rank.
mesh::TetMesh shared(const core::Comm& comm, const mesh::TetMesh& mesh) {
  std::vector<double> coordinates;
  std::vector<std::int32_t> corners;
  if (comm.is_root()) {
    for (const Vec3& x : mesh.nodes) coordinates.insert(coordinates.end(), {x.x(), x.y(), x.z()});
    for (const auto& tet : mesh.tets) corners.insert(corners.end(), tet.begin(), tet.end());
  }
  coordinates = comm.all_gather(std::span<const double>(coordinates));
  corners = comm.all_gather(std::span<const std::int32_t>(corners));
  mesh::TetMesh copy;
  for (std::size_t i = 0; i < coordinates.size(); i += 3)
    copy.nodes.emplace_back(coordinates[i], coordinates[i + 1], coordinates[i + 2]);
  for (std::size_t i = 0; i < corners.size(); i += 4)
    copy.tets.push_back({corners[i], corners[i + 1], corners[i + 2], corners[i + 3]});
  return copy;
}

void check_in_one_part(const mesh::TetMesh& mesh) {
  const std::vector<std::int32_t> part = modes::connected_parts(modes::cell_graph(mesh));
  const std::int32_t num_parts = part.empty() ? 0 : 1 + *std::max_element(part.begin(), part.end());
  if (num_parts != 1)
    throw core::BadInput(
        fmt::format("The mesh falls into {} connected parts. Each vibrates by itself: give one at a time.", num_parts));
}

}  // namespace

void vibrate(const core::Comm& comm, mesh::TetMesh mesh, const std::string& preset, std::int32_t count,
             const std::filesystem::path& out) {
  material::Material material;
  mesh = shared(comm, mesh);
  core::agree_on_input(comm, [&] {
    material = material_called(preset);
    check_in_one_part(mesh);
  });
  const modes::ElasticSolid solid{material.lame_lambda, material.lame_mu, material.density};
  const auto found = modes::vibration_modes(comm, mesh, solid, count);
  core::agree(comm, [&] {
    if (comm.is_root()) sim::write_vibration_file(out, {mesh, solid, found, fmt::format("brisance {}", kVersion)});
  });
  for (std::size_t k = 0; k < found.size(); ++k)
    spdlog::info("mode {:3}  {:.6g} Hz{}", k, found[k].frequency_hz, k < 6 ? "  (rigid)" : "");
  spdlog::info("{} vibration modes of {} in {}", found.size(), preset, out.string());
}

}  // namespace brisance::app
