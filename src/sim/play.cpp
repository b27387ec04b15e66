/// A playback from start to end as a run folder.
#include "brisance/core/log.hpp"
#include "brisance/io/monitor.hpp"
#include "brisance/io/series.hpp"
#include "brisance/sim/playback.hpp"

#include "marked_run.hpp"

namespace brisance::sim {

namespace {

class Frames {
public:
  Frames(const core::Comm& comm, const Playback& playback, const io::RunFolder& folder, std::string scene)
      : comm_(comm), playback_(playback), folder_(folder), scene_(std::move(scene)), series_(folder.series()) {}

  /// Frames come at multiples of the interval, each at the first step that reaches it.
  [[nodiscard]] bool is_due(double interval_s) const {
    return playback_.time_s() >= static_cast<double>(next_) * interval_s * (1 - 1e-12);
  }

  void write() {
    io::SnapshotHeader header = playback_.snapshot_header(next_);
    header.scene = scene_;
    io::write_snapshot(comm_, folder_.snapshot(next_), header,
                       comm_.is_root() ? playback_.snapshot_part() : io::SnapshotPart());
    series_.append(comm_, {io::RunFolder::snapshot_name(next_), playback_.time_s()});
    ++next_;
  }

private:
  const core::Comm& comm_;
  const Playback& playback_;
  const io::RunFolder& folder_;
  std::string scene_;
  io::Series series_;
  std::int64_t next_ = 0;
};

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

RunEnd play_in_folder(const core::Comm& comm, Playback& playback, const PlaybackParameters& parameters, Frames& frames,
                      io::Monitor& monitor, const std::function<bool()>& stop_requested) {
  for (;;) {
    const bool at_end = playback.time_s() >= parameters.duration;
    const bool stop = !at_end && stop_requested && comm.any(stop_requested());
    if (stop || frames.is_due(parameters.frame_interval)) frames.write();
    write_line(playback, monitor);
    if (at_end) return RunEnd::finished;
    if (stop) return RunEnd::interrupted;
    const std::size_t bodies = playback.num_bodies();
    playback.step();
    if (playback.num_bodies() != bodies)
      spdlog::info("t = {:.4f} s: {} pieces", playback.time_s(), playback.num_bodies());
  }
}

}  // namespace

RunEnd play(const core::Comm& comm, Playback& playback, const PlaybackParameters& parameters, const std::string& scene,
            const io::RunFolder& folder, const std::function<bool()>& stop_requested) {
  return marked_run(comm, folder, scene, [&] {
    Frames frames(comm, playback, folder, scene);
    io::Monitor monitor(comm, folder.monitor(),
                        {"time_s", "step", "pieces", "kinetic_energy_j", "momentum_x_kg_m_s", "momentum_y_kg_m_s",
                         "momentum_z_kg_m_s"});
    return play_in_folder(comm, playback, parameters, frames, monitor, stop_requested);
  });
}

}  // namespace brisance::sim
