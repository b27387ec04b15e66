#include "app/scene/mesh_arguments.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/mesh/tets/connected_parts.hpp"
#include "brisance/mesh/tets/mesh_bounds.hpp"
#include "brisance/sim/setup/mesh_file.hpp"

#include "app/scene/key.hpp"
#include "app/scene/scene.hpp"

#include <filesystem>
#include <iostream>
#include <numbers>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

void print_quality(const mesh::Quality& q) {
  const double degrees = 180 / std::numbers::pi;
  std::cout << fmt::format("dihedral angles {:.1f}° to {:.1f}°, 99 % of the tets {:.1f}° to {:.1f}°\n",
                           q.smallest_dihedral_rad * degrees, q.largest_dihedral_rad * degrees,
                           q.percent_least_dihedral_rad * degrees, q.percent_largest_dihedral_rad * degrees);
  std::cout << fmt::format(
      "smallest altitude {:.3g} m, mean edge {:.3g} m: {:.2f} of it, 99 % of the tets {:.2f}; {:.2g} % below 0.1\n",
      q.smallest_altitude_m, q.mean_edge_m, q.smallest_altitude_m / q.mean_edge_m, q.percent_altitude_m / q.mean_edge_m,
      100 * q.thin_share);
}

/// Prints the report of `mesh::generate`.
void print_report(const mesh::MeshReport& report) {
  std::cout << core::counted(report.num_tets, "tet") << ", " << core::counted(report.num_nodes, "node");
  if (report.target_tets > 0) std::cout << fmt::format(" (asked for {})", core::counted(report.target_tets, "tet"));
  std::cout << fmt::format("\nvolume {:.6g} m³, {:+.2g} % against the surface's\n", report.quality.volume_m3,
                           100 * report.volume_error);
  print_quality(report.quality);
  for (const std::string& note : report.notes) std::cout << note << '\n';
  std::cout << std::flush;
  for (const std::string& warning : report.warnings) spdlog::warn(warning);
}

void require_as_it_is(const MeshArguments& arguments, const mesh::Request& request) {
  if (arguments.num_tets > 0 || arguments.edge_length_m > 0)
    throw core::BadInput(request.file.string() + " holds tetrahedra already: leave out --tets and --edge.");
  if (request.cage || request.cavity_scale > 0 || !request.cavity_file.empty())
    throw core::BadInput(request.file.string() +
                         " holds tetrahedra already: leave out cage, cavity_scale and cavity_file, or give its "
                         "surface instead.");
}

mesh::TetMesh read_tets(const mesh::Request& request, bool report_it) {
  mesh::TetMesh mesh = sim::read_tets(request.file);
  for (auto* vectors : {&mesh.nodes, &mesh.displacement, &mesh.velocity})
    for (Vec3& x : *vectors) x *= request.scale;
  const mesh::Quality quality = mesh::measure_quality(mesh);
  const auto warning = mesh::judge_altitude(quality.smallest_altitude_m, quality.mean_altitude_m,
                                            request.least_altitude, request.file.string(), mesh::kTetFileRemedy);
  if (!report_it) return mesh;
  const std::int64_t num_parts = mesh::num_connected_parts(mesh);
  std::cout << fmt::format("{}, {}, as the file has them, in {}\nvolume {:.6g} m³\n",
                           core::counted(mesh.tets.size(), "tet"), core::counted(mesh.nodes.size(), "node"),
                           core::counted(num_parts, "connected part"), quality.volume_m3);
  print_quality(quality);
  std::cout << std::flush;
  if (warning) spdlog::warn(*warning);
  return mesh;
}

}  // namespace

void add_mesh_arguments(CLI::App& command, MeshArguments& arguments, bool required) {
  CLI::Option_group* what = command.add_option_group("what");
  what->add_option("IN", arguments.input,
                   "surface (OBJ, STL, PLY, OFF, GLB ...) or tetrahedral mesh (.msh, .vtu, .node and .ele, .hdf)");
  what->add_option("--shape", arguments.shape, "bowl, torus, slab ...: shape of docs/SCENES.md, [object.mesh]");
  if (required)
    what->require_option(1);
  else
    what->require_option(0, 1);
  CLI::Option* tets =
      command.add_option("--tets", arguments.num_tets, "about how many tetrahedra")->check(CLI::PositiveNumber);
  command.add_option("--edge", arguments.edge_length_m, "about how long the edges shall be [m]")
      ->check(CLI::PositiveNumber)
      ->excludes(tets);
  command
      .add_option("--feature-angle-deg", arguments.feature_angle_deg,
                  "edges at which two triangles of the surface turn by more stay edges [degrees]; 180: none")
      ->check(CLI::Range(1.0, 180.0));
  command.add_option("--set", arguments.overrides, "another key of [object.mesh], as in --set radius_m=0.2")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

mesh::Request read_request(const MeshArguments& arguments, bool repair) {
  std::vector<std::string> keys;
  const auto give = [&](const std::string& key, const Value& value) {
    keys.push_back("object.mesh." + key + "=" + toml_text(value));
  };
  if (repair) keys.emplace_back("object.mesh.repair=true");
  if (!arguments.input.empty() && !std::filesystem::exists(arguments.input))
    throw core::BadInput(arguments.input + ": there is no such file. Check the name.");
  if (!arguments.input.empty()) give("file", arguments.input);
  if (!arguments.shape.empty()) give("shape", arguments.shape);
  if (arguments.num_tets > 0) give("target_tets", arguments.num_tets);
  if (arguments.edge_length_m > 0) give("edge_length_m", arguments.edge_length_m);
  if (arguments.feature_angle_deg > 0) give("feature_angle_deg", arguments.feature_angle_deg);
  for (const std::string& o : arguments.overrides) keys.push_back("object.mesh." + o);
  const std::string frame = "[[material]]\npreset = \"glass\"\n[[object]]\n[time]\nduration_s = 1\n";
  const mesh::Request request = parse_scene(frame, "command line", keys).objects.front().mesh;
  if (request.refine > 0)
    throw core::BadInput(
        "--set refine: only `brisance run` refines, once the mesh is spread over the ranks. Ask for "
        "more tets (--tets), or leave it out.");
  return request;
}

mesh::TetMesh read_or_make_tets(const MeshArguments& arguments, bool repair, bool report_it) {
  const mesh::Request request = read_request(arguments, repair);
  if (request.shape == mesh::ShapeKind::file && sim::is_tet_mesh_file(request.file)) {
    require_as_it_is(arguments, request);
    return read_tets(request, report_it);
  }
  mesh::MeshReport report;
  mesh::TetMesh mesh = mesh::generate(request, report);
  if (report_it) print_report(report);
  return mesh;
}

}  // namespace brisance::app
