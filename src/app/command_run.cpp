/// `brisance run`: from a scene file to a finished run folder.
#include "brisance/sim/run.hpp"

#include "app/commands.hpp"
#include "app/progress.hpp"
#include "app/scene.hpp"
#include "app/scene_arguments.hpp"
#include "app/session.hpp"

#include <memory>

#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

struct RunArguments {
  SceneArguments scene;
  std::filesystem::path out;
  bool overwrite = false;
};

void print_progress(const sim::Progress& p) {
  Progress line;
  line.step = p.step;
  line.time_s = p.time_s;
  line.duration_s = p.duration_s;
  line.step_s = p.dt_s;
  line.num_pieces = p.pieces;
  line.num_contacts = p.contacts;
  line.wall_s_per_step = p.ms_per_step / 1e3;
  spdlog::info(progress_line(line));
}

int run(const core::Comm& comm, const RunArguments& arguments) {
  const sim::Scene scene = read_scene_together(comm, arguments.scene);
  sim::RunOptions options;
  options.out = arguments.out;
  options.overwrite = arguments.overwrite;
  options.scene_toml = to_toml(scene);
  options.report = print_progress;
  sim::run(comm, scene, options);
  return kSuccess;
}

}  // namespace

void add_run(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("run", "run a scene and write its results into a folder");
  auto arguments = std::make_shared<RunArguments>();
  add_scene(*command, arguments->scene);
  command->add_option("--out", arguments->out, "folder for the results; made if it does not exist")->required();
  command->add_flag("--overwrite", arguments->overwrite, "replace an earlier run in that folder");
  command->footer(
      "Examples: brisance run configs/bowl.toml --out runs/bowl\n"
      "          mpirun -n 4 brisance run configs/bowl.toml --out runs/bowl --set time.duration_s=0.02\n"
      "The folder then holds scene.toml, run.log, monitor.csv, run.hdf.series (open it in ParaView) and snapshots/.");
  command->callback([arguments, &action] { action = [arguments](const core::Comm& c) { return run(c, *arguments); }; });
}

}  // namespace brisance::app
