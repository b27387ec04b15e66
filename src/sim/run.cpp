/// The whole run on one screen: set up, step until the end, write what is due.
#include "brisance/sim/run.hpp"

#include "brisance/core/log.hpp"
#include "brisance/dynamics/vector_units.hpp"
#include "brisance/io/marked_run.hpp"
#include "brisance/io/series.hpp"
#include "brisance/sim/simulation.hpp"

#include "recorder.hpp"

namespace brisance::sim {

namespace {

constexpr std::int64_t kStepsBetweenStopChecks = 8;  ///< agreeing costs a reduction

/// Has any rank been asked to stop? Collective.
bool stop_agreed(const Simulation& simulation, const RunOptions& options) {
  if (!options.stop_requested || simulation.num_steps() % kStepsBetweenStopChecks != 0) return false;
  return simulation.comm().any(options.stop_requested());
}

io::RunEnd run_in_folder(const core::Comm& comm, const Scene& scene, const RunOptions& options,
                         const io::RunFolder& folder) {
  InitialMesh initial = build_initial_mesh(comm, scene);
  for (const std::string& line : initial.report) spdlog::info(line);
  spdlog::info("element kernels on {}", dynamics::vector_units());
  Simulation simulation(comm, scene, initial.whole, initial.regions);
  initial = {};  // from here on no rank holds more than its part
  Recorder recorder(simulation, folder, resolved_output(scene), options);
  recorder.record();
  io::RunEnd end = io::RunEnd::finished;
  while (simulation.time_s() < scene.duration_s) {
    simulation.step();
    recorder.record();
    if (stop_agreed(simulation, options)) {
      end = io::RunEnd::interrupted;
      break;
    }
  }
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
  return io::marked_run(comm, folder, options.scene_toml, [&] { return run_in_folder(comm, scene, options, folder); });
}

}  // namespace brisance::sim
