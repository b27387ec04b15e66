/// Processes many objects alike, distributed over the ranks.
#pragma once

#include "brisance/core/comm.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace brisance::app {

struct ObjectJob {
  std::string input;
  std::filesystem::path out;
};

/// One job for each object, each with its own file: FOLDER/NAME + ending. Throws core::BadInput if two files would
/// coincide. Local.
[[nodiscard]] std::vector<ObjectJob> object_jobs(const std::vector<std::string>& inputs,
                                                 const std::filesystem::path& folder, const std::string& ending);

/// Divides the ranks into as many groups as there are jobs, or into single ranks, and assigns the jobs: largest file
/// first, to the group with the least work. A job that fails does not stop the others.
/// @param work  collective on its group; throws core::Error on all of its ranks or on none
/// Collective. Throws core::Error that names the failed jobs.
void run_jobs(const core::Comm& comm, const std::vector<ObjectJob>& jobs,
              const std::function<void(const core::Comm& group, const ObjectJob& job)>& work);

}  // namespace brisance::app
