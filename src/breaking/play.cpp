/// Runs a playback from start to end, and writes a run folder.
#include "brisance/breaking/playback.hpp"
#include "brisance/core/log.hpp"
#include "brisance/core/progress.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/marked_run.hpp"
#include "brisance/io/monitor.hpp"

#include "played_frames.hpp"

namespace brisance::breaking {

namespace {

const std::vector<std::string> kColumns{"time_s",
                                        "step",
                                        "pieces",
                                        "kinetic_energy_j",
                                        "momentum_x_kg_m_s",
                                        "momentum_y_kg_m_s",
                                        "momentum_z_kg_m_s",
                                        "angular_momentum_x_kg_m2_s",
                                        "angular_momentum_y_kg_m2_s",
                                        "angular_momentum_z_kg_m2_s",
                                        "deepest_overlap_m"};

void write_line(const Playback& playback, io::Monitor& monitor) {
  const rigid::Momenta m = playback.momenta();
  monitor.append(std::vector<double>{playback.time_s(), static_cast<double>(playback.num_steps()),
                                     static_cast<double>(playback.num_bodies()), m.energy, m.linear.x(), m.linear.y(),
                                     m.linear.z(), m.angular.x(), m.angular.y(), m.angular.z(),
                                     playback.deepest_overlap()});
}

io::RunEnd play_in_folder(const core::Comm& comm, Playback& playback, const PlaybackParameters& parameters,
                          PlayedFrames<Playback>& frames, io::Monitor& monitor,
                          const std::function<bool()>& stop_requested) {
  Schedule frame(parameters.frame_interval), line(parameters.monitor_interval);
  bool broke = false;
  core::ProgressClock progress;
  for (;;) {
    const bool at_end = playback.time_s() >= parameters.duration;
    const bool stop = !at_end && stop_requested && comm.any(stop_requested());
    if (frame.is_due(playback.time_s()) || stop) frames.write();
    if (line.is_due(playback.time_s()) || stop || at_end || broke) write_line(playback, monitor);
    if (at_end) return io::RunEnd::finished;
    if (stop) return io::RunEnd::interrupted;
    const std::size_t bodies = playback.num_bodies();
    playback.step();
    broke = playback.num_bodies() != bodies;
    if (progress.is_due())
      spdlog::info("t = {} of {:g} s: {}, {:.0f} s so far", core::time_text(playback.time_s(), parameters.duration),
                   parameters.duration, core::counted(playback.num_bodies(), "body", "bodies"), progress.passed_s());
    if (broke)
      spdlog::info("t = {} s: {}", core::time_text(playback.time_s(), parameters.duration),
                   core::counted(playback.num_bodies(), "piece"));
  }
}

void report_swaps(const SwapErrors& swaps) {
  if (swaps.num_swaps == 0) {
    spdlog::info("nothing broke: throw harder, or lower the break speed");
    return;
  }
  spdlog::info("{} broke", core::counted(swaps.num_swaps, "body", "bodies"));
  spdlog::debug(
      "breaking changed momentum by {:.0e}, angular momentum by {:.0e} and kinetic energy by {:.0e} of themselves at "
      "most",
      swaps.momentum, swaps.angular_momentum, swaps.kinetic_energy);
}

}  // namespace

io::RunEnd play(const core::Comm& comm, Playback& playback, const PlaybackParameters& parameters,
                const std::string& scene, const io::RunFolder& folder, const std::function<bool()>& stop_requested) {
  return io::marked_run(comm, folder, scene, [&] {
    PlayedFrames<Playback> frames(comm, playback, folder, scene);
    io::Monitor monitor(comm, folder.monitor(), kColumns);
    const io::RunEnd end = play_in_folder(comm, playback, parameters, frames, monitor, stop_requested);
    report_swaps(playback.swap_errors());
    return end;
  });
}

}  // namespace brisance::breaking
