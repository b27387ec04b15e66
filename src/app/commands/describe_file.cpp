#include "app/commands/describe_file.hpp"

#include "brisance/breaking/mode_file.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/input_file.hpp"
#include "brisance/core/printable.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/array_file.hpp"
#include "brisance/io/pieces_file.hpp"
#include "brisance/mesh/tets/connected_parts.hpp"
#include "brisance/mesh/tets/quality.hpp"
#include "brisance/runtime/error.hpp"
#include "brisance/runtime/impact_file.hpp"
#include "brisance/sim/output/checkpoint.hpp"
#include "brisance/sim/setup/mesh_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numeric>
#include <set>
#include <string_view>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

namespace brisance::app {

namespace {

/// Numbers, from 1, of the displacement modes that belong to scalar mode k: "4-6" if each has three, "4" if each has
/// one.
std::string numbers_of(std::size_t k, int each) {
  const std::size_t last = (k + 1) * each;
  return each == 1 ? fmt::format("{}", last) : fmt::format("{}-{}", last - each + 1, last);
}

std::string axes(const std::array<double, 3>& strength) {
  if (strength == std::array<double, 3>{1, 1, 1}) return "";
  return fmt::format("  strength along the axes {:g}\n", fmt::join(strength, ", "));
}

/// How many of the lowest displacement modes move along x, y and z; empty if the strength is the same along all axes.
std::string lowest_along_axes(const modes::ModeSet& set) {
  if (set.displacements() == 1 || set.same_along_all_axes()) return "";
  std::vector<double> energy;
  for (const modes::Mode& mode : set.modes) energy.push_back(mode.energy);
  const auto [x, y, z] = modes::num_lowest(set, energy);
  return fmt::format("  the {} lowest of them: {} along x, {} along y{}\n", x + y + z, x, y,
                     set.dimension == 3 ? fmt::format(", {} along z", z) : "");
}

std::string of_modes(const std::filesystem::path& path) {
  const breaking::ModeFile file = breaking::read_mode_file(path);
  const modes::ModeSet& set = file.modes;
  const int each = set.displacements();
  const bool is_flat = set.dimension == 2;
  std::string text =
      fmt::format("{}: {} of {}, {}\n  of {}; {}, {}, {} between them{}\n", path.string(), each * set.modes.size(),
                  core::counted(each * std::max<std::size_t>(file.scalar_count, set.modes.size()), "displacement mode"),
                  file.complete ? "complete" : "continue with --resume", is_flat ? "a flat body" : "a solid",
                  is_flat ? core::counted(file.plane.surface.triangles.size(), "triangle")
                          : core::counted(file.mesh.tets.size(), "tet"),
                  core::counted(is_flat ? file.plane.surface.vertices.size() : file.mesh.nodes.size(), "node"),
                  core::counted(file.face_weight.size(), "face"), file.no_break.empty() ? "" : "; some must not break");
  text += fmt::format("  method {}, weights {}, gap {:g}{}; {:.3g} s of CPU time; written by {}\n", file.method,
                      set.weighting == modes::Weighting::area ? "area" : "sqrt-area", file.relative_gap,
                      file.refined ? ", refined" : "", std::accumulate(file.cpu_s.begin(), file.cpu_s.end(), 0.0),
                      file.program);
  text += axes(set.axis_strength);
  text += lowest_along_axes(set);
  text += "  modes  energy  of it strain  gap  convex steps  cpu_s\n";
  for (std::size_t k = 0; k < set.modes.size(); ++k) {
    const modes::Mode& mode = set.modes[k];
    text += fmt::format("  {}  {:.6g}  {:.3g}  {:.2g}  {}{}  {:.3g}\n", numbers_of(k, each), mode.energy,
                        mode.strain_energy, mode.relative_gap, mode.convex_energies.size(),
                        mode.settled ? "" : " (not at rest)", file.cpu_s[k]);
  }
  return text;
}

std::string of_vibrations(const std::filesystem::path& path) {
  constexpr const char* kOurs = "/brisance_vibration";
  const io::ArrayFileReader file(path);
  const auto frequency = file.rows<double>("/brisance_vibration/frequency_Hz");
  const double lambda = file.number(kOurs, "lame_lambda_Pa"), mu = file.number(kOurs, "lame_mu_Pa"),
               density = file.number(kOurs, "density_kg_m3");
  if (!(std::isfinite(lambda) && std::isfinite(mu) && std::isfinite(density))) throw io::damaged(path, kOurs);
  for (const double f : frequency)
    if (!(std::isfinite(f) && f >= 0)) throw io::damaged(path, "/brisance_vibration/frequency_Hz");
  std::string text =
      fmt::format("{}: {} of a solid, {}\n", path.string(), core::counted(frequency.size(), "vibration mode"),
                  core::counted(file.num_rows("/VTKHDF/Points", 3), "node"));
  text += fmt::format("  λ = {:.4g} Pa, μ = {:.4g} Pa, ρ = {:g} kg/m³; written by {}\n", lambda, mu, density,
                      file.text(kOurs, "program"));
  text += "  mode  frequency_hz\n";
  for (std::size_t k = 0; k < frequency.size(); ++k) text += fmt::format("  {}  {:.6g}\n", k, frequency[k]);
  return text;
}

std::string of_pieces(const std::filesystem::path& path) {
  const io::PiecesFile file = io::read_pieces(path);
  std::vector<double> size;
  std::size_t triangles = 0;
  for (const mesh::PieceSurface& piece : file.pieces) {
    size.push_back(file.size(piece));
    triangles += piece.surface.triangles.size();
  }
  const auto [least, most] = std::minmax_element(size.begin(), size.end());
  std::string text = fmt::format("{}: {} of {:g} {}, {}\n", path.string(), core::counted(file.pieces.size(), "piece"),
                                 file.size(), file.is_flat() ? "m²" : "m³", core::counted(triangles, "triangle"));
  if (!size.empty())
    text += fmt::format("  smallest {:.3g} %, largest {:.3g} % of it\n", 100 * *least / file.size(),
                        100 * *most / file.size());
  text += file.smoothing_m2 < 0 ? "  cracks follow the faces of the mesh"
                                : fmt::format("  cracks smoothed, {:g} m²", file.smoothing_m2);
  text += file.is_exact_outside ? "; the outside is the input's surface\n" : "\n";
  return text;
}

std::string of_runtime(const std::filesystem::path& path) {
  const runtime::ImpactSet set = [&] {
    try {
      return runtime::read_impact_file(path.string());
    } catch (const runtime::Error& e) {
      throw core::Error(e.what());
    }
  }();
  std::string text = fmt::format("{}: runtime file of {}, {}, {} between them, {}\n", path.string(),
                                 set.dimension == 2 ? "a flat body" : "a solid", core::counted(set.num_atoms(), "atom"),
                                 core::counted(set.faces.size(), "face"), core::counted(set.num_modes(), "mode"));
  double size = 0;
  for (const runtime::SolidShape& atom : set.atoms) size += atom.volume;
  text += fmt::format("  {:g} {}; blows known at {}", size, set.dimension == 2 ? "m²" : "m³",
                      core::counted(set.vertices.size(), "vertex", "vertices"));
  if (set.elastic) text += fmt::format("; elastic over {:.3g} m", set.elastic->length_m);
  if (set.gaussian) text += fmt::format("; gaussian over {:.3g} m", set.gaussian->length_m);
  return text + "\n" + axes(set.axis_strength);
}

std::string of_tets(const std::filesystem::path& path) {
  const mesh::TetMesh mesh = sim::read_tets(path);
  const mesh::Quality q = mesh::measure_quality(mesh);
  const std::int64_t num_parts = mesh::num_connected_parts(mesh);
  std::string text = fmt::format("{}: {}, {}, {:g} m³\n", path.string(), core::counted(mesh.tets.size(), "tet"),
                                 core::counted(mesh.nodes.size(), "node"), q.volume_m3);
  text +=
      num_parts == 1 ? "  one body\n" : fmt::format("  {} bodies (connected parts that share no node)\n", num_parts);
  text += fmt::format("  edges {:.3g} to {:.3g} m, smallest altitude {:.3g} m\n", q.shortest_edge_m, q.longest_edge_m,
                      q.smallest_altitude_m);
  if (const std::set<std::int32_t> regions(mesh.region.begin(), mesh.region.end()); regions.size() > 1)
    text += fmt::format("  regions {}\n", fmt::join(regions, ", "));
  text += describe(mesh.groups, mesh.group);
  if (!mesh.displacement.empty()) text += "  with displacements\n";
  if (!mesh.velocity.empty()) text += "  with velocities\n";
  return text;
}

std::string of_checkpoint(const std::filesystem::path& file) {
  const sim::CheckpointHeader header = sim::read_checkpoint_header(file);
  return fmt::format("{}: checkpoint at step {}, t = {:g} s\n  {}, {}; written by {}, {:.1f} MB\n", file.string(),
                     header.step, header.time_s, core::counted(header.num_nodes, "node"),
                     core::counted(header.num_tets, "tet"), core::counted(header.num_ranks, "rank"),
                     1e-6 * static_cast<double>(std::filesystem::file_size(file)));
}

bool is_runtime_file(const std::filesystem::path& path) {
  std::array<char, 16> start{};
  std::ifstream in(path, std::ios::binary);
  in.read(start.data(), start.size());
  return runtime::is_impact_file(std::string_view(start.data(), static_cast<std::size_t>(in.gcount())));
}

/// Each group name in use, with the number of tets or faces that have it.
/// @param numbers  group number of each tet or face
std::string with_shares(const mesh::Groups& groups, std::span<const std::int32_t> numbers) {
  std::string text;
  for (const std::string& name : mesh::names_in_use(groups, numbers)) {
    const auto count = std::ranges::count_if(numbers, [&](auto group) { return mesh::has_name(groups, group, name); });
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", core::printable_name(name), count);
  }
  return text;
}

}  // namespace

std::string describe(const mesh::Groups& groups, std::span<const std::int32_t> group_of_tet) {
  std::string text;
  if (const std::string tets = with_shares(groups, group_of_tet); !tets.empty())
    text += fmt::format("  groups of tets: {}\n", tets);
  if (const std::string faces = with_shares(groups, groups.of_source); !faces.empty())
    text += fmt::format("  groups of faces of the input: {}\n", faces);
  return text;
}

std::string description_of(const std::filesystem::path& file) {
  core::require_regular_file(file,
                             "Give a run folder, a snapshot (.hdf), a tetrahedral mesh, or a file of modes, "
                             "vibrations, pieces (.h5) or impacts.");
  if (is_runtime_file(file)) return of_runtime(file);
  if (sim::is_checkpoint(file)) return of_checkpoint(file);
  if (io::is_pieces_file(file)) return of_pieces(file);
  if (io::has_group(file, "/brisance_modes")) return of_modes(file);
  if (io::has_group(file, "/brisance_vibration")) return of_vibrations(file);
  const bool may_be_snapshot = file.extension() == ".hdf" || file.extension() == ".h5";
  if (!may_be_snapshot && sim::is_tet_mesh_file(file)) return of_tets(file);
  if (!may_be_snapshot && std::filesystem::exists(file))
    throw core::Error(file.string() +
                      " is none of what info describes: a run folder, a snapshot (.hdf), a tetrahedral mesh, or a file "
                      "of modes, vibrations, pieces (.h5) or impacts.");
  return "";
}

}  // namespace brisance::app
