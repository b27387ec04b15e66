/// `brisance run`: runs a scene file and writes a run folder.
#include "brisance/core/error.hpp"
#include "brisance/core/text_difference.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/sim/output/checkpoint.hpp"
#include "brisance/sim/output/find_checkpoint.hpp"
#include "brisance/sim/run.hpp"
#include "brisance/sim/setup/collider_meshes.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"

#include "app/cli/launcher.hpp"
#include "app/cli/numbers.hpp"
#include "app/cli/progress.hpp"
#include "app/cli/session.hpp"
#include "app/cli/signals.hpp"
#include "app/commands/commands.hpp"
#include "app/scene/find_scene.hpp"
#include "app/scene/input_files.hpp"
#include "app/scene/scene.hpp"
#include "app/scene/scene_arguments.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <memory>

#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

struct RunArguments {
  SceneArguments scene;
  std::filesystem::path out, branch;
  bool overwrite = false, resume = false;
  std::string checkpoint_every, wall_limit;
};

/// Makes the run folder; an occupied folder, or one that cannot be made, is bad input. Collective.
io::RunFolder make_folder(const core::Comm& comm, const RunArguments& arguments, const sim::RunOptions& options) {
  const std::string origin = options.branch ? std::filesystem::absolute(options.branch->from.file).string() : "";
  try {
    return arguments.resume ? io::RunFolder::reopen(comm, arguments.out, origin)
                            : io::RunFolder::create(comm, arguments.out, arguments.overwrite, origin);
  } catch (const core::Error& e) {  // thrown on all ranks alike
    throw core::BadInput(e.what());
  }
}

/// Is the run in the folder finished? Throws core::Error if it is of another scene, or has ended without a checkpoint
/// and is to be continued.
bool has_finished(const RunArguments& arguments, const sim::Scene& scene) {
  if (!std::filesystem::exists(arguments.out / "run.json")) return false;
  const auto folder = io::RunFolder::open(arguments.out);
  if (folder.status() != io::RunStatus::finished) return false;
  const sim::Scene before = read_scene(folder.scene());
  if (scene.duration_s <= before.duration_s) {
    const std::string past = past_of(before), now = past_of(scene);
    if (past == now) return true;
    throw core::Error(
        fmt::format("{0} holds a finished run of another scene ({1}); nothing was touched. Choose another "
                    "--out, and give --branch {0} to continue from its checkpoint.",
                    arguments.out.string(), core::first_difference(past, now)));
  }
  if (folder.checkpoints().empty())
    throw core::Error(
        arguments.out.string() +
        " holds a finished run without a checkpoint to continue from; nothing was touched. Only a run with "
        "--checkpoint-every leaves one at its end.");
  return false;
}

/// Does the folder have a checkpoint? Collective: rank 0 checks.
bool has_checkpoint(const core::Comm& comm, const std::filesystem::path& folder) {
  bool found = false;
  core::agree_on_input(comm, [&] {
    found = comm.is_root() && std::filesystem::exists(folder / "run.json") &&
            !io::RunFolder::open(folder).checkpoints().empty();
  });
  return comm.any(found);
}

/// Files that --overwrite removes must not be inputs of the run. Collective.
void guard_run_folder(const core::Comm& comm, const RunArguments& arguments, const sim::Scene& scene) {
  if (!arguments.overwrite) return;
  guard_scene_outputs(comm, scene, arguments.scene, run_outputs(arguments.out), true);
}

/// Collective; throws core::BadInput on all ranks if there is no checkpoint, or none that can be continued under this
/// scene.
sim::Branch find_branch(const core::Comm& comm, const RunArguments& arguments, const sim::Scene& scene,
                        const std::string& past) {
  sim::Branch branch{.from = sim::find_checkpoint(comm, arguments.branch), .before = {}, .changes = ""};
  core::agree_on_input(comm, [&] {
    const std::filesystem::path& file = branch.from.file;
    if (lies_in(file, arguments.out))
      throw core::Error(file.string() +
                        " is in the folder of --out itself. Give another --out; a run continues in its "
                        "own folder with --resume.");
    const std::string before = sim::read_past(file);
    branch.before = parse_scene(before, file);
    require_same_state(branch.before, scene);
    if (before != past) branch.changes = core::first_difference(before, past);
    if (const double time_s = sim::read_checkpoint_header(file).time_s; time_s >= scene.duration_s)
      throw core::Error(
          fmt::format("{} is of t = {:g} s, and the scene ends at time.duration_s = {:g}. Make it longer, "
                      "as in --set time.duration_s={:g}.",
                      file.string(), time_s, scene.duration_s, 2 * time_s));
  });
  return branch;
}

/// Deadline by this process's wall clock: --wall-limit from now on, or the end of the SLURM job if that is sooner [s].
double deadline_s(const RunArguments& arguments) {
  double left_s = std::numeric_limits<double>::infinity();
  if (!arguments.wall_limit.empty()) left_s = seconds(arguments.wall_limit, "--wall-limit");
  if (const char* end = std::getenv("SLURM_JOB_END_TIME"); end != nullptr && std::atoll(end) > 0)
    left_s = std::min(left_s, static_cast<double>(std::atoll(end) - std::time(nullptr)));
  return core::wall_seconds() + left_s;
}

core::Stopped stopped(const RunArguments& arguments) {
  return core::Stopped(arguments.out.string() +
                       ": a signal or a time limit asked the run to stop; it is marked as interrupted and has a "
                       "checkpoint. --resume continues from there.");
}

int run(const core::Comm& comm, const RunArguments& arguments) {
  sim::Scene scene = read_scene_together(comm, arguments.scene);
  sim::RunOptions options;
  bool finished = false;
  double checkpoint_interval_s = scene.output.checkpoint_interval_s;
  core::agree_on_input(comm, [&] {
    options.deadline_s = deadline_s(arguments);
    if (!arguments.checkpoint_every.empty())
      checkpoint_interval_s = seconds(arguments.checkpoint_every, "--checkpoint-every");
    finished = arguments.resume && comm.is_root() && has_finished(arguments, scene);
  });
  if (comm.any(finished)) {
    spdlog::info("{} holds this run, finished; nothing was touched.", arguments.out.string());
    return kSuccess;
  }
  guard_run_folder(comm, arguments, scene);
  scene.output = sim::resolved_output(scene);
  options.scene_toml = to_toml(scene);
  scene.output.checkpoint_interval_s = checkpoint_interval_s;
  options.past = past_of(scene);
  options.scene_file = std::filesystem::absolute(find_scene(arguments.scene.file));
  options.resume = arguments.resume;
  if (!arguments.branch.empty() && !(arguments.resume && has_checkpoint(comm, arguments.out)))
    options.branch = find_branch(comm, arguments, scene, options.past);
  sim::require_programs(comm, scene);  // before the folder is made
  sim::read_collider_meshes(comm, scene);
  options.report = [](const sim::Progress& progress) { spdlog::info(progress_line(progress)); };
  note_stop_signals();
  note_checkpoint_signals();
  options.stop_requested = stop_noted;
  options.checkpoint_requested = take_checkpoint_note;
  options.how_to_stop = how_to_stop();
  const io::RunFolder folder = make_folder(comm, arguments, options);
  const StopListener listener([&folder] { folder.announce_stop(); });
  if (sim::run(comm, scene, options, folder) == io::RunEnd::interrupted) throw stopped(arguments);
  return kSuccess;
}

}  // namespace

void add_run(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("run", "run a scene and write its results into a folder");
  auto arguments = std::make_shared<RunArguments>();
  add_scene(*command, arguments->scene);
  command->add_option("--out", arguments->out, "folder for the results; made if it does not exist")->required();
  command->add_flag("--overwrite", arguments->overwrite, "replace an earlier run in that folder");
  command
      ->add_flag(
          "--resume", arguments->resume,
          "continue from the newest checkpoint in that folder, on any number of ranks; start where there is none")
      ->excludes("--overwrite");
  command->add_option("--branch", arguments->branch,
                      "start from a checkpoint of another run: its folder, for the newest, or the file; the scene may "
                      "differ in what is not in the mesh. With --resume: where --out has no checkpoint yet");
  command->add_option("--checkpoint-every", arguments->checkpoint_every,
                      "real time between checkpoints, as 10min (also output.checkpoint_interval_s)");
  command->add_option("--wall-limit", arguments->wall_limit,
                      "stop in time, with a checkpoint, to have ended after so long, as 55min");
  command->footer(
      "Examples: brisance run configs/bowl.toml --out runs/bowl\n"
      "          mpirun -n 2 brisance run configs/bowl.toml --out runs/bowl --set time.duration_s=0.02\n"
      "          brisance run configs/bowl.toml --out runs/harder --branch runs/bowl --set collider[0].friction=0.6\n"
      "          brisance run bowl --out bowl         a scene that came along (brisance info --scenes), from any "
      "folder\n"
      "The folder then holds scene.toml, run.log, monitor.csv, run.hdf.series (open it in ParaView) and snapshots/.\n"
      "SIGUSR1 asks for a checkpoint. SIGUSR2, SIGTERM, SIGHUP and SIGINT end a run after its step with a checkpoint "
      "and exit\n"
      "code 75; so does --wall-limit, and in a SLURM job its end (SLURM_JOB_END_TIME). The same command with --resume "
      "goes "
      "on.\n"
      "Send mpirun SIGUSR2: it passes that on at once. SIGTERM it passes on after a second and kills a second later; "
      "give\n"
      "it more time with --mca odls_base_sigkill_timeout 10.");
  command->callback([arguments, &action] { action = [arguments](const core::Comm& c) { return run(c, *arguments); }; });
}

}  // namespace brisance::app
