#include "app/cli/launcher.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

namespace brisance::app {

namespace {

int number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::atoi(text);
}

/// Number of tasks of this process's SLURM step; 0 outside of a step, as in the shell of a job.
int tasks_of_step() {
  if (std::getenv("SLURM_STEP_ID") == nullptr || std::getenv("SLURM_PROCID") == nullptr) return 0;
  const char* of_step = std::getenv("SLURM_STEP_NUM_TASKS");
  return of_step != nullptr ? std::atoi(of_step) : number_in_environment("SLURM_NTASKS");
}

std::string name_of_process(pid_t id) {
  std::ifstream in("/proc/" + std::to_string(id) + "/comm");
  std::string name;
  std::getline(in, name);
  return name;
}

}  // namespace

bool has_launcher() {
  for (const char* sign : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(sign) != nullptr) return true;
  return false;
}

void require_ranks_to_know_each_other() {
  if (std::getenv("BRISANCE_SERIAL_TASKS") != nullptr || tasks_of_step() <= 1) return;
  throw core::BadInput(fmt::format(
      "srun started {} tasks that do not know of each other: this would be {} runs of one rank each, not one "
      "run of {}. Start them with `srun --mpi=pmix` (`srun --mpi=list` shows what there is) or with `mpirun` in "
      "the job. Where each task is to be a run of its own, set BRISANCE_SERIAL_TASKS=1.",
      tasks_of_step(), tasks_of_step(), tasks_of_step()));
}

std::string how_to_stop() {
  constexpr std::array<std::string_view, 4> kLaunchers{"mpirun", "mpiexec", "orterun", "prterun"};
  const pid_t above = ::getppid();
  const std::string name = name_of_process(above);
  if (std::find(kLaunchers.begin(), kLaunchers.end(), name) == kLaunchers.end()) return "";
  return fmt::format("to stop this run with a checkpoint: kill -USR2 {} ({}, which leaves it a second after TERM)",
                     above, name);
}

}  // namespace brisance::app
