#include "checkpoint_keeper.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/io/checksums.hpp"
#include "brisance/sim/fields.hpp"

#include <sstream>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

/// The first line in which two texts differ, in words.
std::string first_difference(const std::string& before, const std::string& now) {
  std::istringstream a(before), b(now);
  std::string line_a, line_b;
  while (true) {
    const bool more_a = static_cast<bool>(std::getline(a, line_a)), more_b = static_cast<bool>(std::getline(b, line_b));
    if (!more_a) line_a = "nothing more";
    if (!more_b) line_b = "nothing more";
    if (line_a != line_b || !more_a || !more_b) return "there: " + line_a + "; now: " + line_b;
  }
}

}  // namespace

FoundCheckpoint newest_checkpoint(const core::Comm& comm, const Scene& scene, const RunOptions& options,
                                  const io::RunFolder& folder) {
  FoundCheckpoint found;
  std::vector<std::filesystem::path> files;
  core::agree(comm, [&] { files = folder.checkpoints(); });
  for (const auto& file : files) {
    try {
      io::require_checksums(comm, file);
    } catch (const core::Error& e) {  // the same on all ranks
      found.warnings.push_back(std::string(e.what()) + " It is passed over.");
      continue;
    }
    core::agree_on_input(comm, [&] {
      const std::string past = read_past(file);
      if (past != options.past)
        throw core::Error(file.string() + " is of a run of another scene (" + first_difference(past, options.past) +
                          "). On --resume only time.duration_s, output, camera and title may change. Give the scene of "
                          "that run, or another --out.");
    });
    found.checkpoint = read_checkpoint(comm, file, fields(scene));
    return found;
  }
  core::agree_on_input(comm, [&] {
    if (!files.empty())
      throw core::Error(
          fmt::format("{} None of the {} checkpoint(s) in {} is whole; nothing was touched. Start anew "
                      "with --overwrite, or choose another --out.",
                      found.warnings.front(), files.size(), folder.path().string()));
    if (!comm.is_root() || !std::filesystem::exists(folder.scene())) return;
    const std::string before = io::read_text(folder.scene());
    if (before != options.scene_toml)
      throw core::Error(
          fmt::format("{} holds a run of another scene without a checkpoint ({}); nothing was touched. "
                      "Replace it with --overwrite, or choose another --out.",
                      folder.path().string(), first_difference(before, options.scene_toml)));
  });
  return found;
}

void CheckpointKeeper::write(const Simulation& simulation, const Recorder& recorder) {
  const core::Comm& comm = simulation.comm();
  const double start_s = core::wall_seconds();
  const std::filesystem::path file = folder_.checkpoint(simulation.num_steps());
  try {
    folder_.prepare_checkpoints(comm);
    write_checkpoint(comm, file, {simulation.save(), recorder.save(), past_}, fields(simulation.scene()));
    folder_.keep_checkpoints(comm, static_cast<std::size_t>(output_.checkpoints_kept));
  } catch (const core::Error& e) {  // the same on all ranks
    spdlog::warn("no checkpoint at step {}: {} The run goes on.", simulation.num_steps(), e.what());
    return;
  }
  seconds_ = comm.max(core::wall_seconds() - start_s);
  if (comm.is_root())
    spdlog::info("checkpoint at step {}, t = {:.6g} s: {:.1f} MB in {:.2f} s", simulation.num_steps(),
                 simulation.time_s(), 1e-6 * static_cast<double>(std::filesystem::file_size(file)), seconds_);
}

double CheckpointKeeper::seconds(const Simulation& simulation) const {
  constexpr double kBytesASecond = 1e8;
  return seconds_ > 0 ? seconds_ : 1 + static_cast<double>(simulation.mesh().memory_bytes()) / kBytesASecond;
}

}  // namespace brisance::sim
