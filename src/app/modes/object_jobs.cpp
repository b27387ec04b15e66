#include "app/modes/object_jobs.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/timer.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <sstream>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

/// The group of each job.
std::vector<int> share_out(const std::vector<ObjectJob>& jobs, int num_groups) {
  std::vector<std::pair<std::uintmax_t, std::size_t>> by_size;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    std::error_code missing;  // reported when the job runs
    const std::uintmax_t size = std::filesystem::file_size(jobs[j].input, missing);
    by_size.emplace_back(missing ? 0 : size, j);
  }
  std::stable_sort(by_size.begin(), by_size.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  std::vector<std::uintmax_t> load(num_groups, 0);
  std::vector<int> group(jobs.size());
  for (const auto& [size, job] : by_size) {
    const auto least = std::min_element(load.begin(), load.end());
    group[job] = static_cast<int>(least - load.begin());
    *least += size + 1;
  }
  return group;
}

/// Result of a job as a line; "!" before a failure.
std::string outcome(const core::Comm& group, const ObjectJob& job,
                    const std::function<void(const core::Comm&, const ObjectJob&)>& work) {
  const double begin_s = core::wall_seconds();
  try {
    work(group, job);
    return fmt::format(" {} after {:.3g} s\n", job.out.string(), core::wall_seconds() - begin_s);
  } catch (const core::Error& e) {
    return fmt::format("!{}: {}\n", job.input, e.what());
  }
}

}  // namespace

std::vector<ObjectJob> object_jobs(const std::vector<std::string>& inputs, const std::filesystem::path& folder,
                                   const std::string& ending) {
  std::vector<ObjectJob> jobs;
  std::set<std::filesystem::path> files;
  for (const std::string& input : inputs) {
    jobs.push_back({input, folder / (std::filesystem::path(input).stem().string() + ending)});
    if (!files.insert(jobs.back().out).second)
      throw core::BadInput("Two objects would be written to " + jobs.back().out.string() +
                           ". Rename one of their files.");
  }
  return jobs;
}

void run_jobs(const core::Comm& comm, const std::vector<ObjectJob>& jobs,
              const std::function<void(const core::Comm& group, const ObjectJob& job)>& work) {
  const int num_groups = std::min(comm.size(), static_cast<int>(jobs.size())), mine = comm.rank() % num_groups;
  const std::vector<int> group_of = share_out(jobs, num_groups);
  MPI_Comm raw = MPI_COMM_NULL;
  MPI_Comm_split(comm.raw(), mine, comm.rank(), &raw);
  const core::Comm group(raw);
  std::string lines;  // collected on the group's first rank
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (group_of[j] != mine) continue;
    const std::string line = outcome(group, jobs[j], work);
    if (group.is_root()) lines += line;
  }
  MPI_Comm_free(&raw);
  const std::vector<char> all = comm.all_gather(std::span<const char>(lines));
  std::istringstream text(std::string(all.begin(), all.end()));
  std::string failures;
  for (std::string line; std::getline(text, line);)
    if (line.front() == '!')
      failures.append("\n").append(line, 1);
    else
      spdlog::info("finished{}", line);
  if (!failures.empty()) throw core::Error("these objects failed, the others are done:" + failures);
}

}  // namespace brisance::app
