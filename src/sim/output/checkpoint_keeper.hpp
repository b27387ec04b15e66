/// Checkpoints of a run in its folder: written when asked for, the newest kept, the newest good one found again.
#pragma once

#include "brisance/io/run_folder.hpp"
#include "brisance/sim/output/checkpoint.hpp"
#include "brisance/sim/run_options.hpp"

#include "recorder.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace brisance::sim {

/// A checkpoint to go on from, and what was wrong with newer ones.
struct FoundCheckpoint {
  std::optional<Checkpoint> checkpoint;
  std::vector<std::string> warnings;
};

/// The newest that is what was written; none where the run was stopped before its first. Collective; throws
/// core::BadInput on all ranks if it is of another version or its run has another past, if there are checkpoints but no
/// whole one, or if the folder holds a run of another scene without any.
[[nodiscard]] FoundCheckpoint newest_checkpoint(const core::Comm& comm, const Scene& scene, const RunOptions& options,
                                                const io::RunFolder& folder);

/// Of a whole file. Collective; throws core::BadInput on all ranks if these ranks cannot hold its mesh, or as
/// read_checkpoint does.
[[nodiscard]] Checkpoint read_if_it_fits(const core::Comm& comm, const Scene& scene, const std::filesystem::path& file,
                                         const dist::FieldList& may_lack = {});

class CheckpointKeeper {
public:
  CheckpointKeeper(const io::RunFolder& folder, const OutputParameters& output, std::string past)
      : folder_(folder), output_(output), past_(std::move(past)) {}

  /// At most once a step. Where the disk is full the run goes on, with a warning, and the last checkpoint stays.
  /// Collective.
  void write(const Simulation& simulation, const Recorder& recorder);
  /// Wall seconds that the last one took; before the first, what it may take at 100 MB/s.
  [[nodiscard]] double seconds(const Simulation& simulation) const;

private:
  const io::RunFolder& folder_;
  OutputParameters output_;
  std::string past_;
  double seconds_ = 0;
  std::int64_t last_step_ = -1;  ///< of the last checkpoint
};

}  // namespace brisance::sim
