/// `brisance mesh`: tetrahedra from a surface file or a shape, with a report on what came out.
#include "brisance/core/error.hpp"
#include "brisance/mesh/generate.hpp"
#include "brisance/mesh/write_vtu.hpp"
#include "brisance/sim/mesh_file.hpp"

#include "app/commands.hpp"
#include "app/key.hpp"
#include "app/scene.hpp"
#include "app/session.hpp"

#include <iostream>
#include <memory>
#include <numbers>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

struct MeshArguments {
  std::string input, shape;
  double num_tets = 0, edge_length_m = 0;
  std::vector<std::string> overrides;
  std::filesystem::path out;
};

/// The request, read through the scene's own table so that keys, units and checks are the same.
mesh::Request read_request(const MeshArguments& arguments) {
  std::vector<std::string> keys;
  const auto give = [&](const std::string& key, const Value& value) {
    keys.push_back("object.mesh." + key + "=" + toml_text(value));
  };
  if (!arguments.input.empty()) give("file", arguments.input);
  if (!arguments.shape.empty()) give("shape", arguments.shape);
  if (arguments.num_tets > 0) give("target_tets", arguments.num_tets);
  if (arguments.edge_length_m > 0) give("edge_length_m", arguments.edge_length_m);
  for (const std::string& o : arguments.overrides) keys.push_back("object.mesh." + o);
  const std::string frame = "[[material]]\npreset = \"glass\"\n[[object]]\n[time]\nduration_s = 1\n";
  return parse_scene(frame, "command line", keys).objects.front().mesh;
}

void print_report(const mesh::MeshReport& report) {
  const mesh::Quality& q = report.quality;
  const double degrees = 180 / std::numbers::pi;
  std::cout << fmt::format("{} tets, {} nodes", report.num_tets, report.num_nodes);
  if (report.target_tets > 0) std::cout << fmt::format(" (asked for {} tets)", report.target_tets);
  std::cout << fmt::format("\nvolume {:.6g} m³, {:+.2g} % against the surface's\n", q.volume_m3,
                           100 * report.volume_error);
  std::cout << fmt::format("dihedral angles {:.1f}° to {:.1f}°, smallest altitude {:.3g} m, mean edge {:.3g} m\n",
                           q.smallest_dihedral_rad * degrees, q.largest_dihedral_rad * degrees, q.smallest_altitude_m,
                           q.mean_edge_m);
  for (const std::string& note : report.notes) std::cout << note << '\n';
}

/// Rank 0 does it all.
int make_mesh(const core::Comm& comm, const MeshArguments& arguments) {
  const std::string extension = arguments.out.extension().string();
  if (extension != ".vtu" && extension != ".hdf" && extension != ".h5")
    throw core::BadInput("--out " + arguments.out.string() + " must end in .hdf, .h5 or .vtu.");
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    mesh::MeshReport report;
    const mesh::TetMesh made = mesh::generate(read_request(arguments), report);
    print_report(report);
    if (extension == ".vtu")
      mesh::write_vtu(arguments.out, made);
    else
      sim::write_mesh_file(arguments.out, made);
  });
  return kSuccess;
}

}  // namespace

void add_mesh(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("mesh", "fill a surface or a shape with tetrahedra");
  auto arguments = std::make_shared<MeshArguments>();
  CLI::Option_group* what = command->add_option_group("what");
  what->add_option("IN", arguments->input, "surface (OBJ, STL, PLY, OFF) or tetrahedral mesh");
  what->add_option("--shape", arguments->shape, "bowl, torus, slab ...: shape of docs/SCENES.md, [object.mesh]");
  what->require_option(1);
  CLI::Option* tets =
      command->add_option("--tets", arguments->num_tets, "about how many tetrahedra")->check(CLI::PositiveNumber);
  command->add_option("--edge", arguments->edge_length_m, "about how long the edges shall be [m]")
      ->check(CLI::PositiveNumber)
      ->excludes(tets);
  command->add_option("--set", arguments->overrides, "another key of [object.mesh], as in --set radius_m=0.2")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--out", arguments->out, "file to write: .hdf, .h5 or .vtu")->required();
  command->footer(
      "Example: brisance mesh cup.stl --set scale=0.001 --tets 50000 --out cup.hdf\n"
      "         brisance mesh --shape bowl --set radius_m=0.2 --edge 0.01 --out bowl.vtu");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return make_mesh(c, *arguments); }; });
}

}  // namespace brisance::app
