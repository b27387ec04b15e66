/// `brisance mesh`: makes tetrahedra from a surface file, a tetrahedral mesh or a shape, and reports on them.
#include "brisance/core/error.hpp"
#include "brisance/mesh/formats/write_vtu.hpp"
#include "brisance/sim/setup/mesh_file.hpp"

#include "app/cli/output_files.hpp"
#include "app/cli/session.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/describe_file.hpp"
#include "app/scene/input_files.hpp"
#include "app/scene/mesh_arguments.hpp"

#include <iostream>
#include <memory>

namespace brisance::app {

namespace {

struct MeshCommandArguments {
  MeshArguments mesh;
  std::filesystem::path out;
  bool overwrite = false;
};

/// All work is done on rank 0.
int make_mesh(const core::Comm& comm, const MeshCommandArguments& arguments) {
  const std::string extension = arguments.out.extension().string();
  if (extension != ".vtu" && extension != ".hdf" && extension != ".h5")
    throw core::BadInput("--out " + arguments.out.string() + " must end in .hdf, .h5 or .vtu.");
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    guard_outputs(files_of(read_request(arguments.mesh, false)),
                  {{"--out", arguments.out, sim::is_mesh_without_run(arguments.out)}}, arguments.overwrite);
    const mesh::TetMesh made = read_or_make_tets(arguments.mesh, false, true);
    std::cout << describe(made.groups, made.group);
    if (extension == ".vtu")
      mesh::write_vtu(arguments.out, made);
    else
      sim::write_mesh_file(arguments.out, made);
  });
  return kSuccess;
}

}  // namespace

void add_mesh(CLI::App& program, Action& action) {
  CLI::App* command =
      program.add_subcommand("mesh", "fill a surface or a shape with tetrahedra, or convert a tetrahedral mesh");
  auto arguments = std::make_shared<MeshCommandArguments>();
  add_mesh_arguments(*command, arguments->mesh, true);
  command->add_option("--out", arguments->out, "file to write: .hdf, .h5 or .vtu")->required();
  command->add_flag("--overwrite", arguments->overwrite,
                    "replace that file if it is there; an earlier .hdf mesh of this command is replaced anyway");
  command->footer(
      "Example: brisance mesh cup.stl --set scale=0.001 --tets 50000 --out cup.hdf\n"
      "         brisance mesh --shape bowl --set radius_m=0.2 --edge 0.01 --out bowl.vtu\n"
      "         brisance mesh part.msh --out part.hdf");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return make_mesh(c, *arguments); }; });
}

}  // namespace brisance::app
