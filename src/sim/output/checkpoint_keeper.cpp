#include "checkpoint_keeper.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/text_difference.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/sim/fields.hpp"
#include "brisance/sim/output/find_checkpoint.hpp"

#include "sim/setup/memory_need.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

/// Throws core::Error if a folder without a checkpoint has a run of another scene or a branch. Local.
void require_nothing_lost(const core::Comm& comm, const RunOptions& options, const io::RunFolder& folder) {
  if (!comm.is_root() || !std::filesystem::exists(folder.scene())) return;
  if (!folder.origin().empty() && !options.branch)
    throw core::Error(
        fmt::format("{} holds a run that was to branch off from {} and was stopped before its first "
                    "checkpoint; nothing was touched. Give --branch again.",
                    folder.path().string(), folder.origin()));
  const std::string before = io::read_text(folder.scene());
  if (before != options.scene_toml)
    throw core::Error(
        fmt::format("{} holds a run of another scene without a checkpoint ({}); nothing was touched. "
                    "Replace it with --overwrite, or choose another --out.",
                    folder.path().string(), core::first_difference(before, options.scene_toml)));
}

}  // namespace

FoundCheckpoint newest_checkpoint(const core::Comm& comm, const Scene& scene, const RunOptions& options,
                                  const io::RunFolder& folder) {
  FoundCheckpoint found;
  WholeCheckpoint whole;
  bool any = false;
  core::agree(comm, [&] { any = !folder.checkpoints().empty(); });
  if (any) whole = find_checkpoint(comm, folder.path());
  found.warnings = std::move(whole.warnings);
  core::agree_on_input(comm, [&] {
    if (!any) return require_nothing_lost(comm, options, folder);
    const std::string past = read_past(whole.file);
    if (past != options.past)
      throw core::Error(fmt::format(
          "{} is of a run of another scene ({}). On --resume only time.duration_s, output, camera and title may "
          "change. "
          "Give the scene of that run, or go on from there under this one into a new folder: --out NEW --branch {}",
          whole.file.string(), core::first_difference(past, options.past), folder.path().string()));
  });
  if (any) found.checkpoint = read_if_it_fits(comm, scene, whole.file);
  return found;
}

Checkpoint read_if_it_fits(const core::Comm& comm, const Scene& scene, const std::filesystem::path& file,
                           const dist::FieldList& may_lack) {
  CheckpointHeader header;
  core::agree_on_input(comm, [&] { header = read_checkpoint_header(file); });
  require_memory(comm, header.num_tets);
  return read_checkpoint(comm, file, fields(scene), may_lack);
}

void CheckpointKeeper::write(const Simulation& simulation, const Recorder& recorder) {
  if (simulation.num_steps() == last_step_) return;
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
  last_step_ = simulation.num_steps();
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
