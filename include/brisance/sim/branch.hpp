/// A run that goes on from a checkpoint of another one, under a scene of its own.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/sim/parameters.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::sim {

/// A checkpoint that is what was written, and what was wrong with newer ones.
struct WholeCheckpoint {
  std::filesystem::path file;
  std::vector<std::string> warnings;
};

/// `from`: a checkpoint, or a run folder, of which the newest whole one is taken. Collective; throws core::BadInput on
/// all ranks if there is none.
[[nodiscard]] WholeCheckpoint find_checkpoint(const core::Comm& comm, const std::filesystem::path& from);

/// Where a run branches off.
struct Branch {
  WholeCheckpoint from;
  Scene before;         ///< that the checkpoint's run was of; objects, parts, places of regions and kinds of materials
                        ///< are those of the new scene
  std::string changes;  ///< what is new, for the log
};

}  // namespace brisance::sim
