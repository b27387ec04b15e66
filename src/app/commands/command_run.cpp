/// `brisance run`: from a scene file to a finished run folder.
#include "brisance/core/error.hpp"
#include "brisance/sim/run.hpp"

#include "app/cli/progress.hpp"
#include "app/cli/session.hpp"
#include "app/cli/signals.hpp"
#include "app/commands/commands.hpp"
#include "app/scene/scene.hpp"
#include "app/scene/scene_arguments.hpp"

#include <memory>

#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

struct RunArguments {
  SceneArguments scene;
  std::filesystem::path out;
  bool overwrite = false;
};

/// A folder that is taken or cannot be made is bad input. Collective.
io::RunFolder make_folder(const core::Comm& comm, const RunArguments& arguments) {
  try {
    return io::RunFolder::create(comm, arguments.out, arguments.overwrite);
  } catch (const core::Error& e) {  // the same on all ranks
    throw core::BadInput(e.what());
  }
}

int run(const core::Comm& comm, const RunArguments& arguments) {
  sim::Scene scene = read_scene_together(comm, arguments.scene);
  scene.output = sim::resolved_output(scene);
  sim::RunOptions options;
  options.scene_toml = to_toml(scene);
  sim::require_programs(comm, scene);  // before there is a folder
  options.report = [](const sim::Progress& progress) { spdlog::info(progress_line(progress)); };
  note_stop_signals();
  options.stop_requested = stop_noted;
  if (sim::run(comm, scene, options, make_folder(comm, arguments)) == io::RunEnd::interrupted)
    throw stopped_by_signal(arguments.out);
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
      "The folder then holds scene.toml, run.log, monitor.csv, run.hdf.series (open it in ParaView) and snapshots/.\n"
      "SIGTERM and SIGINT end a run after its step, with a last snapshot and exit code 3. mpirun passes SIGTERM on "
      "but\n"
      "kills a second later; give it more time with --mca odls_base_sigkill_timeout 60.");
  command->callback([arguments, &action] { action = [arguments](const core::Comm& c) { return run(c, *arguments); }; });
}

}  // namespace brisance::app
