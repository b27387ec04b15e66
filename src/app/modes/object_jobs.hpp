/// Many objects treated alike, shared out over the ranks.
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

/// One job an object, each with a file of its own: FOLDER/NAME + ending. Throws core::BadInput if two would have the
/// same. Local.
[[nodiscard]] std::vector<ObjectJob> object_jobs(const std::vector<std::string>& inputs,
                                                 const std::filesystem::path& folder, const std::string& ending);

/// Divides the ranks into as many groups as there are jobs, or each rank alone, and gives each group its share: largest
/// file first, to the group with least to do. A job that fails does not stop the others.
/// @param work  collective on the group it is given; throws core::Error on all of its ranks or on none
/// Collective. Throws core::Error that names the jobs that failed.
void run_jobs(const core::Comm& comm, const std::vector<ObjectJob>& jobs,
              const std::function<void(const core::Comm& group, const ObjectJob& job)>& work);

}  // namespace brisance::app
