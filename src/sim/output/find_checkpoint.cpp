#include "brisance/sim/output/find_checkpoint.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/checksums.hpp"
#include "brisance/io/run_folder.hpp"

#include <fmt/format.h>

namespace brisance::sim {

namespace {

/// `from` if it is a file; the checkpoints of a folder, newest first. Local; throws core::Error.
std::vector<std::filesystem::path> candidates(const std::filesystem::path& from) {
  if (!std::filesystem::exists(from)) throw core::Error(from.string() + ": no such run folder or checkpoint.");
  if (!std::filesystem::is_directory(from)) return {from};
  const auto files = io::RunFolder::open(from).checkpoints();
  if (files.empty())
    throw core::Error(from.string() +
                      " has no checkpoint. A run makes them with --checkpoint-every, when it is "
                      "stopped early, and when it is sent SIGUSR1.");
  return files;
}

}  // namespace

WholeCheckpoint find_checkpoint(const core::Comm& comm, const std::filesystem::path& from) {
  WholeCheckpoint found;
  std::vector<std::filesystem::path> files;
  core::agree_on_input(comm, [&] { files = candidates(from); });
  for (const auto& file : files) {
    try {
      io::require_checksums(comm, file);
      found.file = file;
      return found;
    } catch (const core::Error& e) {  // the same on all ranks
      found.warnings.push_back(std::string(e.what()) + " It is passed over.");
    }
  }
  throw core::BadInput(
      fmt::format("{} Of {} in {} none is whole; nothing was touched. Start anew with --overwrite, or "
                  "choose another --out.",
                  found.warnings.front(), core::counted(files.size(), "checkpoint"), from.string()));
}

}  // namespace brisance::sim
