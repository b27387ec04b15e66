/// A saved run as a file: one logical mesh in the order of global ids, whoever wrote it (docs/FORMAT.md,
/// "Checkpoints").
#pragma once

#include "brisance/sim/simulation.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::sim {

inline constexpr std::int64_t kCheckpointVersion = 15;

struct Checkpoint {
  SavedRun run;
  core::NamedState reports;  ///< how far frames and monitor are
  std::string past;          ///< the part of the scene that has made the run what it is
};

/// What a checkpoint says about itself.
struct CheckpointHeader {
  std::int64_t step = 0, num_ranks = 0, num_nodes = 0, num_tets = 0;
  double time_s = 0;
};

/// Writes file and checksums: each appears under its name when complete, the checksums last. `fields`: those of the
/// run (sim/fields.hpp). Collective; throws core::Error on all ranks with what was there before left as it was.
void write_checkpoint(const core::Comm& comm, const std::filesystem::path& file, const Checkpoint& checkpoint,
                      const dist::FieldList& fields);

/// The part of the scene that made the run in this file. Local; throws core::Error if the file is not a checkpoint, or
/// one of another version.
[[nodiscard]] std::string read_past(const std::filesystem::path& file);

/// Each rank reads its slab. Look at the checksums first (io/checksums.hpp). Collective; throws core::Error on all
/// ranks if the file does not have these fields.
/// @param may_lack  of `fields`: have their initial values where the file does not have them
[[nodiscard]] Checkpoint read_checkpoint(const core::Comm& comm, const std::filesystem::path& file,
                                         const dist::FieldList& fields, const dist::FieldList& may_lack = {});

[[nodiscard]] bool is_checkpoint(const std::filesystem::path& file);
/// Local; throws core::Error.
[[nodiscard]] CheckpointHeader read_checkpoint_header(const std::filesystem::path& file);

/// What differs between two checkpoints, one line a table; empty if a run goes on from both with the same bits. Owners
/// and counts that depend on the number of ranks do not matter. Local; throws core::Error.
[[nodiscard]] std::vector<std::string> diff_checkpoints(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace brisance::sim
