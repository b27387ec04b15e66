#include "brisance/io/marked_run.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/log.hpp"
#include "brisance/core/out_of_memory.hpp"

#include <optional>

namespace brisance::io {

namespace {

/// The folder of a run that an exception ended, on a rank that does not write into it.
std::optional<RunFolder> left_run;

/// Not collective: other ranks may be anywhere.
void note_failure(const core::Comm& comm, const RunFolder& folder, const std::string& message) {
  if (!comm.is_root()) {
    left_run = folder;
    return;
  }
  try {
    folder.mark_here(RunStatus::failed, message);
  } catch (const core::Error& e) {  // the user should read the reason of the failure instead
    spdlog::warn("run.json does not say that the run failed: {}", e.what());
  }
}

}  // namespace

RunEnd marked_run(const core::Comm& comm, const RunFolder& folder, const std::string& scene_toml,
                  const std::function<RunEnd()>& action) {
  RunEnd end;
  try {
    core::agree(comm, [&] { core::log_to_file(comm, folder.log()); });
    folder.write_scene(comm, scene_toml);
    end = action();
  } catch (const std::exception& e) {
    note_failure(comm, folder, core::text_for_user(e));
    throw;
  }
  if (end == RunEnd::interrupted)
    folder.mark(comm, RunStatus::interrupted, kWhyInterrupted);
  else
    folder.mark(comm, RunStatus::finished);
  return end;
}

void mark_left_run(const std::string& message) {
  if (!left_run) return;
  try {
    left_run->mark_failed_here(message);
  } catch (const core::Error&) {  // the message is on the terminal as well
  }
}

}  // namespace brisance::io
