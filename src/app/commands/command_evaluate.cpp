/// `brisance evaluate`: forces, stresses and separation tensors of a deformed mesh at one moment, and the nodes that
/// would fail.
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/fracture/criteria/criterion.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/json_text.hpp"
#include "brisance/mesh/formats/read_tet_mesh.hpp"
#include "brisance/sim/evaluate.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"
#include "brisance/sim/setup/mesh_file.hpp"

#include "app/cli/session.hpp"
#include "app/cli/writable.hpp"
#include "app/commands/commands.hpp"
#include "app/scene/input_files.hpp"
#include "app/scene/scene_arguments.hpp"

#include <iostream>
#include <memory>
#include <span>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

struct EvaluateArguments {
  std::filesystem::path mesh, out, json;
  SceneArguments scene;
  bool overwrite = false;
};

/// Reads a mesh written by another program.
mesh::TetMesh read_foreign(const std::filesystem::path& file, std::span<const std::string> fields) {
  mesh::TetReadReport report;
  mesh::TetMesh mesh = mesh::read_tet_mesh(file, report, fields);
  if (report.num_degenerate > 0)
    throw core::Error(fmt::format("{}: {} without volume at rest. Mesh the body again.", file.string(),
                                  core::counted(report.num_degenerate, "tet")));
  if (report.num_unused_nodes > 0)
    spdlog::warn("{}: {} to no tet: left out, and the others are numbered without.", file.string(),
                 core::counted(report.num_unused_nodes, "node belongs", "nodes belong"));
  return mesh;
}

/// Reads the deformed mesh. Collective; throws core::BadInput on all ranks.
dist::MeshShare read_deformed(const core::Comm& comm, const std::filesystem::path& file, const sim::Scene& scene) {
  const std::vector<std::string> fields = sim::fields_wanted(scene, scene.objects.front().name);
  const bool is_ours = sim::is_our_mesh_file(file);
  mesh::TetMesh whole;
  core::agree_on_input(comm, [&] {
    if (!sim::is_tet_mesh_file(file))
      throw core::Error(file.string() + " must be a tetrahedral mesh: .vtu, .hdf, .h5, .node or .msh.");
    sim::refuse_fields(file, fields);
    if (!is_ours && comm.is_root()) whole = read_foreign(file, fields);
  });
  return is_ours ? sim::read_mesh_share(comm, file) : dist::share_on_root(comm, std::move(whole));
}

std::string json_text(const sim::Evaluation& e) {
  const nlohmann::ordered_json json{{"num_nodes", e.num_nodes},
                                    {"num_tets", e.num_tets},
                                    {"mass_kg", e.mass_kg},
                                    {"elastic_energy_j", e.elastic_energy_j},
                                    {"kinetic_energy_j", e.kinetic_energy_j},
                                    {"plastic_work_j", e.plastic_work_j},
                                    {"damping_power_w", e.damping_power_w},
                                    {"critical_step_s", e.critical_step_s},
                                    {"limiting_tet", e.limiting_element},
                                    {"largest_severity", e.largest_severity},
                                    {"most_severe_node", e.most_severe_node},
                                    {"num_failing_nodes", e.num_failing_nodes},
                                    {"num_inverted_tets", e.num_inverted_tets},
                                    {"lowest_inverted_tet", e.lowest_inverted_tet}};
  return io::json_text(json, 1) + "\n";
}

void print_summary(const sim::Evaluation& e, const char* criterion) {
  std::cout << fmt::format("{}, {}, {:.6g} kg\n", core::counted(e.num_nodes, "node"), core::counted(e.num_tets, "tet"),
                           e.mass_kg);
  std::cout << fmt::format("elastic energy {:.6g} J, kinetic energy {:.6g} J, damping {:.6g} W\n", e.elastic_energy_j,
                           e.kinetic_energy_j, e.damping_power_w);
  std::cout << fmt::format("critical step {:.4g} s, set by tet {}\n", e.critical_step_s, e.limiting_element);
  if (e.most_severe_node >= 0)
    std::cout << fmt::format("{} by the {}; node {} is nearest to failing, at {:.4g} of what it bears\n",
                             core::counted(e.num_failing_nodes, "node fails", "nodes fail"), criterion,
                             e.most_severe_node, e.largest_severity);
  if (e.num_inverted_tets > 0)
    std::cout << fmt::format("warning: {} inverted by the displacement, the first is tet {}\n",
                             core::counted(e.num_inverted_tets, "tet is", "tets are"), e.lowest_inverted_tet);
}

void check_name(const EvaluateArguments& arguments) {
  if (arguments.out.extension() != ".vtu") throw core::Error("--out " + arguments.out.string() + " must end in .vtu.");
  for (const auto& out : {arguments.out, arguments.json}) require_writable(out);
}

int evaluate(const core::Comm& comm, const EvaluateArguments& arguments) {
  const sim::Scene scene = read_scene_together(comm, arguments.scene);
  core::agree_on_input(comm, [&] { check_name(arguments); });
  guard_scene_outputs(comm, scene, arguments.scene, {{"--out", arguments.out}, {"--json", arguments.json}},
                      arguments.overwrite, files_of(arguments.mesh));
  io::GridPart fields;
  const sim::Evaluation result = sim::evaluate(comm, scene, read_deformed(comm, arguments.mesh, scene), fields);
  io::write_grid(comm, arguments.out, fields);
  core::agree(comm, [&] {
    if (!comm.is_root()) return;
    if (!arguments.json.empty()) io::write_atomically(arguments.json, json_text(result));
    print_summary(result, fracture::make_criterion(scene.fracture)->traits().quantity);
  });
  return kSuccess;
}

}  // namespace

void add_evaluate(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("evaluate", "forces, stresses and separation of a deformed mesh, once");
  auto arguments = std::make_shared<EvaluateArguments>();
  command
      ->add_option("MESH", arguments->mesh,
                   "tetrahedral mesh at rest (.vtu, .hdf, .node, .msh) with point arrays displacement and velocity")
      ->required();
  add_scene(*command, arguments->scene, "--scene");
  command->add_option("--out", arguments->out, "file to write (.vtu)")->required();
  command->add_option("--json", arguments->json, "also write energies, critical step and counts here");
  command->add_flag("--overwrite", arguments->overwrite, "replace these files if they are there");
  command->footer(
      "Materials are the scene's: its first object's, or, for a mesh of several regions, region r is material r; its\n"
      "parts and factors count. Which nodes fail is decided as in a run, by [fracture] of the scene: its criterion, "
      "and\n"
      "its keys of fronts and directions. Nodes in regions by place that are constrained along all axes do not fail.\n"
      "Placement, colliders, loads and gravity of the scene play no part. Nodes and tets keep their order.\n"
      "By point: force, viscous_force, separation_tensor, separation [N], separation_normal, severity (share of what\n"
      "the node bears; it fails above 1), mass [kg]. By tet: stress (Cauchy) [Pa], green_strain (FᵀF − I), volume "
      "[m³]. Six components are\n"
      "xx yy zz xy yz zx.\n"
      "Example: brisance evaluate pulled.vtu --scene configs/bowl.toml --out forces.vtu --json forces.json\n"
      "         mpirun -n 2 brisance evaluate runs/bowl/snapshots/000005.hdf --scene runs/bowl/scene.toml --out "
      "at5.vtu");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return evaluate(c, *arguments); }; });
}

}  // namespace brisance::app
