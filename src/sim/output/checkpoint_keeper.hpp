/// Writes the checkpoints of a run into its folder, keeps the newest, and finds the newest undamaged one.
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

/// A checkpoint to continue from, and warnings about newer ones that are damaged.
struct FoundCheckpoint {
  std::optional<Checkpoint> checkpoint;
  std::vector<std::string> warnings;
};

/// The newest undamaged checkpoint; none if the run was stopped before its first. Collective; throws core::BadInput on
/// all ranks if it has another version or another Checkpoint::past, if all checkpoints are damaged, or if the folder
/// has a run of another scene and no checkpoint.
[[nodiscard]] FoundCheckpoint newest_checkpoint(const core::Comm& comm, const Scene& scene, const RunOptions& options,
                                                const io::RunFolder& folder);

/// Reads an undamaged file. Collective; throws core::BadInput on all ranks if these ranks have too little memory for
/// its mesh, or as read_checkpoint does.
[[nodiscard]] Checkpoint read_if_it_fits(const core::Comm& comm, const Scene& scene, const std::filesystem::path& file,
                                         const dist::FieldList& may_lack = {});

class CheckpointKeeper {
public:
  CheckpointKeeper(const io::RunFolder& folder, const OutputParameters& output, std::string past)
      : folder_(folder), output_(output), past_(std::move(past)) {}

  /// Writes a checkpoint, at most one a step. If the disk is full the run continues with a warning, and the last
  /// checkpoint stays. Collective.
  void write(const Simulation& simulation, const Recorder& recorder);
  /// Wall seconds that the last checkpoint took; before the first, an estimate at 100 MB/s.
  [[nodiscard]] double seconds(const Simulation& simulation) const;

private:
  const io::RunFolder& folder_;
  OutputParameters output_;
  std::string past_;
  double seconds_ = 0;
  std::int64_t last_step_ = -1;  ///< of the last checkpoint
};

}  // namespace brisance::sim
