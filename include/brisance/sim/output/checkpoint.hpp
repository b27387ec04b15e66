/// A saved run as a file: one logical mesh in the order of global ids, for any number of ranks (docs/FORMAT.md,
/// "Checkpoints").
#pragma once

#include "brisance/sim/simulation.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::sim {

inline constexpr std::int64_t kCheckpointVersion = 17;

struct Checkpoint {
  SavedRun run;
  core::NamedState reports;  ///< state of frames and monitor (RecorderState)
  std::string past;          ///< the part of the scene that must be the same on resuming
};

/// The counts and time in a checkpoint's header.
struct CheckpointHeader {
  std::int64_t step = 0, num_ranks = 0, num_nodes = 0, num_tets = 0;
  double time_s = 0;
};

/// Writes file and checksums: each appears under its name when complete, the checksums last. `fields`: those of the
/// run (sim/fields.hpp). Collective; throws core::Error on all ranks, leaving existing files unchanged.
void write_checkpoint(const core::Comm& comm, const std::filesystem::path& file, const Checkpoint& checkpoint,
                      const dist::FieldList& fields);

/// Checkpoint::past of a file. Local; throws core::Error if the file is not a checkpoint, or has another version.
[[nodiscard]] std::string read_past(const std::filesystem::path& file);

/// Each rank reads its slab. Verify the checksums first (io/checksums.hpp). Collective; throws core::Error on all
/// ranks if the file does not have these fields.
/// @param may_lack  those of `fields` that get their initial values if the file lacks them
[[nodiscard]] Checkpoint read_checkpoint(const core::Comm& comm, const std::filesystem::path& file,
                                         const dist::FieldList& fields, const dist::FieldList& may_lack = {});

[[nodiscard]] bool is_checkpoint(const std::filesystem::path& file);
/// Local; throws core::Error unless the file is a checkpoint of kCheckpointVersion.
void require_checkpoint(const std::filesystem::path& file);
/// Local; throws core::Error.
[[nodiscard]] CheckpointHeader read_checkpoint_header(const std::filesystem::path& file);

}  // namespace brisance::sim
