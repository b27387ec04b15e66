#include "brisance/io/marked_run.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/log.hpp"

namespace brisance::io {

RunEnd marked_run(const core::Comm& comm, const RunFolder& folder, const std::string& scene_toml,
                  const std::function<RunEnd()>& action) {
  core::log_to_file(comm, folder.log());
  folder.write_scene(comm, scene_toml);
  RunEnd end;
  try {
    end = action();
  } catch (const core::Error& e) {
    folder.mark(comm, RunStatus::failed, e.what());
    throw;
  }
  if (end == RunEnd::interrupted)
    folder.mark(comm, RunStatus::interrupted, kWhyInterrupted);
  else
    folder.mark(comm, RunStatus::finished);
  return end;
}

}  // namespace brisance::io
