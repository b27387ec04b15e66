/// A playback from start to end as a run folder.
#include "brisance/core/log.hpp"
#include "brisance/io/monitor.hpp"
#include "brisance/io/series.hpp"
#include "brisance/sim/playback.hpp"

namespace brisance::sim {

namespace {

void write_frame(const core::Comm& comm, const Playback& playback, const io::RunFolder& folder, io::Series& series,
                 std::int64_t frame) {
  io::write_snapshot(comm, folder.snapshot(frame), playback.snapshot_header(frame),
                     comm.is_root() ? playback.snapshot_part() : io::SnapshotPart());
  series.append(comm, {io::RunFolder::snapshot_name(frame), playback.time_s()});
}

void write_line(const Playback& playback, io::Monitor& monitor) {
  const Vec3 momentum = playback.momentum();
  const std::vector<double> values{playback.time_s(),
                                   static_cast<double>(playback.num_steps()),
                                   static_cast<double>(playback.num_bodies()),
                                   playback.kinetic_energy(),
                                   momentum.x(),
                                   momentum.y(),
                                   momentum.z()};
  monitor.append(values);
}

}  // namespace

void play(const core::Comm& comm, Playback& playback, const PlaybackParameters& parameters, const std::string& scene,
          const io::RunFolder& folder) {
  folder.write_scene(comm, scene);
  io::Series series(folder.series());
  io::Monitor monitor(
      comm, folder.monitor(),
      {"time_s", "step", "pieces", "kinetic_energy_j", "momentum_x_kg_m_s", "momentum_y_kg_m_s", "momentum_z_kg_m_s"});
  std::int64_t frame = 0;
  std::size_t bodies = 1;
  for (;;) {
    // Frames at multiples of their interval, each written at the first step that reaches it.
    if (playback.time_s() >= static_cast<double>(frame) * parameters.frame_interval * (1 - 1e-12))
      write_frame(comm, playback, folder, series, frame++);
    write_line(playback, monitor);
    if (playback.time_s() >= parameters.duration) break;
    playback.step();
    if (playback.num_bodies() != bodies)
      spdlog::info("t = {:.4f} s: {} pieces", playback.time_s(), playback.num_bodies());
    bodies = playback.num_bodies();
  }
  folder.mark(comm, io::RunStatus::finished);
}

}  // namespace brisance::sim
