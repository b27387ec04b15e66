/// The whole run: setup, steps until the end, output when it is due.
#include "brisance/sim/run.hpp"

#include "brisance/contact/edge_points.hpp"
#include "brisance/core/log.hpp"
#include "brisance/core/progress.hpp"
#include "brisance/core/words.hpp"
#include "brisance/dynamics/vector_units.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/io/marked_run.hpp"
#include "brisance/io/objects_file.hpp"
#include "brisance/io/series.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"
#include "brisance/sim/simulation.hpp"

#include "sim/output/checkpoint_keeper.hpp"
#include "sim/output/effective_strength.hpp"
#include "sim/output/piece_names.hpp"
#include "sim/output/recorder.hpp"
#include "sim/output/requests.hpp"
#include "sim/setup/memory_need.hpp"

namespace brisance::sim {

namespace {

/// Estimated wall-clock time from the decision to stop to the end of the program [s]: a checkpoint, a frame of about
/// the same size and as much again in reserve, the summary, which reads the whole mesh, and MPI_Finalize. Local.
double seconds_to_end(const Simulation& simulation, const CheckpointKeeper& checkpoints) {
  constexpr double kBytesPerSecond = 2e7, kSecondsToFinalize = 1;
  return 3 * checkpoints.seconds(simulation) + kSecondsToFinalize +
         static_cast<double>(simulation.mesh().memory_bytes()) / kBytesPerSecond;
}

/// Reports from which checkpoint a branch starts, and adapts the restored state to the present scene. Collective.
void enter(const Branch& branch, Simulation& simulation) {
  spdlog::info("from {}", branch.from.file.string());
  if (branch.changes.empty()) return;  // the run continues with the same bits
  spdlog::info("under another scene ({})", branch.changes);
  simulation.come_from(branch.before);
}

/// Writes into the folder what objects are made of: for a branch, that of the run it comes from. Collective.
void note_objects(const core::Comm& comm, const io::RunFolder& folder, const std::vector<io::PlacedObject>& objects) {
  if (objects.empty()) return;
  core::agree(comm, [&] {
    if (comm.is_root()) io::write_objects(io::objects_file(folder.path()), objects);
  });
}

/// Starts from the scene, or from a checkpoint of this run or of the run that it branches off. Collective.
std::unique_ptr<Simulation> set_up(const core::Comm& comm, const Scene& scene, FoundCheckpoint& from,
                                   const std::optional<Branch>& branch, const io::RunFolder& folder) {
  for (const std::string& warning : from.warnings) spdlog::warn(warning);
  spdlog::debug("element kernels on {}", dynamics::vector_units());
  if (from.checkpoint) {
    const int ranks = from.checkpoint->run.num_ranks;
    const core::Heartbeat distributing("distributing the mesh");
    auto simulation = std::make_unique<Simulation>(comm, scene, std::move(from.checkpoint->run));
    spdlog::info("{} at step {}, t = {:.6g} s, from a checkpoint of {} on {}", branch ? "branched off" : "resumed",
                 simulation->num_steps(), simulation->time_s(), core::counted(ranks, "rank"), comm.size());
    if (branch) enter(*branch, *simulation);
    if (branch) forget_names(simulation->mesh());
    if (branch)
      note_objects(comm, folder, io::read_objects(io::objects_file(branch->from.file.parent_path().parent_path())));
    return simulation;
  }
  InitialMesh initial = build_initial_mesh(comm, scene);
  core::log_report(initial.report);
  note_objects(comm, folder, initial.objects);
  const std::int64_t num_tets = initial.share.num_tets << (3 * refinements(scene));
  require_memory(comm, num_tets);
  if (refinements(scene) > 0)
    spdlog::info("refined {}, to {}", core::counted(refinements(scene), "time"), core::counted(num_tets, "tet"));
  const core::Heartbeat distributing("distributing the mesh");
  return std::make_unique<Simulation>(comm, scene, std::move(initial.share), initial.regions);
}

/// Fields that the checkpoint from which a branch starts may lack, because the scene before did not need them.
dist::FieldList may_begin(const Scene& before) {
  dist::FieldList list;
  list.add(contact::surface_fields()).add(contact::kEdgePoints).add(fracture::kContactAcceleration);
  if (!bodies_touch(before)) list.add(contact::deformable_fields());
  return list;
}

io::RunEnd run_in_folder(const core::Comm& comm, const Scene& scene, const RunOptions& options,
                         const io::RunFolder& folder, FoundCheckpoint from) {
  const bool resumed = from.checkpoint.has_value(), branches = !resumed && options.branch;
  if (!options.scene_file.empty()) spdlog::info("scene {}", options.scene_file.string());
  if (!options.how_to_stop.empty()) spdlog::info(options.how_to_stop);
  if (branches) {
    from.warnings = options.branch->from.warnings;
    from.checkpoint = read_if_it_fits(comm, scene, options.branch->from.file, may_begin(options.branch->before));
  }
  const auto simulation = set_up(comm, scene, from, branches ? options.branch : std::nullopt, folder);
  if (scene.fracture.enabled)
    for (const std::string& line : effective_strengths(*simulation)) spdlog::info(line);
  const OutputParameters output = resolved_output(scene);
  Recorder recorder = resumed ? Recorder(*simulation, folder, output, options, from.checkpoint->reports)
                              : Recorder(*simulation, folder, output, options);
  from = {};
  CheckpointKeeper checkpoints(folder, output, options.past);
  RequestWatch watch(*simulation, options, output.checkpoint_interval_s);
  if (!resumed) recorder.record();
  if (branches) recorder.settle();
  if (branches) checkpoints.write(*simulation, recorder);  // from now on the other run is not needed
  io::RunEnd end = io::RunEnd::finished;
  while (!simulation->has_ended() && end == io::RunEnd::finished) {
    simulation->step();
    recorder.record();
    const Requests requests = watch.check(*simulation, [&] { return seconds_to_end(*simulation, checkpoints); });
    if (requests.stop) end = io::RunEnd::interrupted;
    // The folder is marked first, as the job's time may run out during what follows.
    if (requests.stop) folder.mark(comm, io::RunStatus::interrupted, io::kWhyInterrupted);
    if (requests.stop || requests.checkpoint) recorder.settle();  // a checkpoint needs the frames before it
    if (requests.stop || requests.checkpoint) checkpoints.write(*simulation, recorder);
  }
  recorder.settle();
  if (end == io::RunEnd::finished && output.checkpoint_interval_s > 0) checkpoints.write(*simulation, recorder);
  recorder.record_end();
  recorder.summarise();
  return end;
}

}  // namespace

OutputParameters resolved_output(const Scene& scene) {
  OutputParameters output = scene.output;
  if (output.frame_interval_s <= 0) output.frame_interval_s = scene.duration_s / 25;
  if (output.monitor_interval_s <= 0) output.monitor_interval_s = output.frame_interval_s / 10;
  return output;
}

io::RunEnd run(const core::Comm& comm, const Scene& scene, const RunOptions& options) {
  return run(comm, scene, options, io::RunFolder::create(comm, options.out, options.overwrite));
}

io::RunEnd run(const core::Comm& comm, const Scene& scene, const RunOptions& options, const io::RunFolder& folder) {
  FoundCheckpoint from;
  if (options.resume) {
    from = newest_checkpoint(comm, scene, options, folder);
    if (!from.checkpoint) folder.start_over(comm);
    folder.mark(comm, io::RunStatus::running);
  }
  return io::marked_run(comm, folder, options.scene_toml,
                        [&] { return run_in_folder(comm, scene, options, folder, std::move(from)); });
}

}  // namespace brisance::sim
