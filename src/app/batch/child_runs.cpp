#include "app/batch/child_runs.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/spawn_attributes.hpp"
#include "brisance/core/timer.hpp"

#include "app/cli/session.hpp"
#include "app/cli/signals.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <mutex>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <spdlog/fmt/fmt.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace brisance::app {

namespace {

constexpr const char* kParent = "BRISANCE_BATCH_PARENT";  ///< process id, in the environment of children
constexpr std::string_view kErrorPrefix = "brisance: error: ";

/// Ours without what a launcher told this process: a child is a program of one rank.
std::vector<std::string> environment_of_child() {
  constexpr std::array<std::string_view, 8> kOfLaunchers{
      "OMPI_COMM_WORLD_", "OMPI_UNIVERSE_", "OMPI_MCA_orte_", "OMPI_MCA_ess_base_",
      "OMPI_FILE_",       "PMIX_",          "PMI_",           "ORTE_"};
  std::vector<std::string> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (std::ranges::none_of(kOfLaunchers, [&](std::string_view start) { return text.starts_with(start); }) &&
        !text.starts_with(std::string(kParent) + '='))
      kept.emplace_back(text);
  }
  kept.push_back(fmt::format("{}={}", kParent, getpid()));
  return kept;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

pid_t start_brisance(const std::vector<std::string>& arguments, const std::filesystem::path& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  const core::SpawnAttributes attributes;
  std::vector<std::string> words{"brisance"}, environment = environment_of_child();
  words.insert(words.end(), arguments.begin(), arguments.end());
  pid_t child = 0;
  const int reason = posix_spawn(&child, "/proc/self/exe", &actions, attributes.get(), pointers_to(words).data(),
                                 pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (reason != 0)
    throw core::Error(
        fmt::format("brisance {} cannot be started ({}), with its log {}. Check the folder and the limit "
                    "of processes.",
                    arguments.front(), std::strerror(reason), log.string()));
  return child;
}

void end_child(pid_t child) {
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// The text after the last "brisance: error: " that was appended to the log.
std::string last_error_in(const std::filesystem::path& log, std::streamoff from) {
  std::ifstream in(log);
  in.seekg(from);
  std::string error;
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(kErrorPrefix)) error = line.substr(kErrorPrefix.size());
  return error;
}

std::string described_end(const ChildEnd& end, const std::string& command, const std::filesystem::path& log,
                          std::streamoff from, double time_limit_s) {
  if (end.is_too_slow)
    return fmt::format("brisance {} did not finish within {:g} s (--time-limit)", command, time_limit_s);
  if (end.signal != 0)
    return fmt::format("brisance {} was ended by signal {} ({})", command, end.signal, strsignal(end.signal));
  const std::string said = last_error_in(log, from);
  return said.empty() ? fmt::format("brisance {} ended with code {}", command, end.exit_code) : said;
}

/// Schedulers signal each process of a job: a child may end before this one has heard of it.
bool was_asked_to_stop(const ChildEnd& end) {
  constexpr std::array<int, 4> kStops{SIGTERM, SIGINT, SIGHUP, SIGUSR2};
  return stop_noted() || (end.signal == 0 && end.exit_code == kStopped) ||
         std::ranges::find(kStops, end.signal) != kStops.end();
}

}  // namespace

ChildEnd run_brisance(const std::vector<std::string>& arguments, const std::filesystem::path& log,
                      double time_limit_s) {
  std::error_code missing;
  const auto size = std::filesystem::file_size(log, missing);
  const auto from = missing ? std::streamoff{0} : static_cast<std::streamoff>(size);
  const double begin_s = core::wall_seconds();
  const pid_t child = start_brisance(arguments, log);
  ChildEnd end;
  std::chrono::milliseconds pause{1};
  for (int status = 0;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    end.wall_s = core::wall_seconds() - begin_s;
    if (ended == child) {
      if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
      if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
      break;
    }
    if (stop_noted()) {
      end_child(child);
      throw core::Stopped("a signal asked to stop. What is finished is complete; the same command continues.");
    }
    if (end.wall_s > time_limit_s) {
      end_child(child);
      end.signal = SIGKILL;
      end.is_too_slow = true;
      break;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds{16});
  }
  if (end.succeeded()) return end;
  if (was_asked_to_stop(end))
    throw core::Stopped("a signal asked to stop. What is finished is complete; the same command continues.");
  // Who kills all processes of a job may kill this one a moment later: it must not yet blame the object.
  if (end.signal == SIGKILL && !end.is_too_slow) std::this_thread::sleep_for(std::chrono::milliseconds{300});
  end.error = described_end(end, arguments.front(), log, from, time_limit_s);
  return end;
}

void end_with_parent() {
  const char* const parent = std::getenv(kParent);
  if (parent == nullptr) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (std::to_string(getppid()) != parent) std::_Exit(3);  // it ended before the line above
}

void for_each_job(std::size_t num_jobs, std::size_t num_workers, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex guard;
  const auto worker = [&] {
    for (std::size_t job = next++; job < num_jobs; job = next++) try {
        work(job);
      } catch (...) {
        const std::lock_guard lock(guard);
        if (!failure) failure = std::current_exception();
        next = num_jobs;
      }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < std::min(num_workers, num_jobs); ++i) threads.emplace_back(worker);
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

Claim::Claim(const std::filesystem::path& file) {
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0)
    throw core::Error(fmt::format("{} cannot be made ({}). Choose a folder that you may write to.", file.string(),
                                  std::strerror(errno)));
  is_ours_ = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;  // some file systems have no locks
}

Claim::~Claim() { ::close(descriptor_); }

void Claim::wait() {
  while (!is_ours_ && ::flock(descriptor_, LOCK_EX) < 0 && errno == EINTR) {
  }
  is_ours_ = true;
}

}  // namespace brisance::app
