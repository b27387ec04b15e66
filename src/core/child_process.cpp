#include "brisance/core/child_process.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/failed_meshing.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/core/progress.hpp"
#include "brisance/core/spawn_attributes.hpp"

#include <algorithm>
#include <array>
#include <thread>

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <spdlog/spdlog.h>
#include <sys/mman.h>
#include <sys/wait.h>

namespace brisance::core {

namespace {

namespace fs = std::filesystem;

/// An unnamed file in memory. Its descriptor is above those used in the child.
class MemoryFile {
public:
  explicit MemoryFile(const char* name) {
    constexpr int kAboveTheChilds = 16;
    const int made = memfd_create(name, MFD_CLOEXEC);
    if (made >= 0) descriptor_ = fcntl(made, F_DUPFD_CLOEXEC, kAboveTheChilds);
    const int reason = errno;
    if (made >= 0) close(made);
    if (descriptor_ < 0)
      throw Error(
          fmt::format("There can be no file in memory to talk to a child process through ({}). Raise the limit "
                      "of open files (ulimit -n), or close other programs.",
                      std::strerror(reason)));
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  void rewind() const { lseek(descriptor_, 0, SEEK_SET); }

private:
  int descriptor_ = -1;
};

struct Exchange {
  MemoryFile request{"brisance-request"}, answer{"brisance-answer"}, said{"brisance-said"};
};

/// How the child starts: its messages go to a file, and it inherits no descriptor of ours but those of the exchange.
class SpawnSetup {
public:
  explicit SpawnSetup(const Exchange& exchange) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, exchange.said.descriptor(), 1);
    posix_spawn_file_actions_adddup2(&actions, exchange.said.descriptor(), 2);
    posix_spawn_file_actions_adddup2(&actions, exchange.request.descriptor(), kRequestDescriptor);
    posix_spawn_file_actions_adddup2(&actions, exchange.answer.descriptor(), kAnswerDescriptor);
    posix_spawn_file_actions_addclosefrom_np(&actions, kAnswerDescriptor + 1);
  }
  ~SpawnSetup() { posix_spawn_file_actions_destroy(&actions); }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  posix_spawn_file_actions_t actions;
  SpawnAttributes attributes;
};

pid_t start(const fs::path& file, const std::string& argument, const Exchange& exchange) {
  const SpawnSetup setup(exchange);
  const std::string name = file.string();
  std::array<char*, 3> arguments{const_cast<char*>(name.c_str()),
                                 argument.empty() ? nullptr : const_cast<char*>(argument.c_str()), nullptr};
  pid_t child = 0;
  if (const int reason =
          posix_spawn(&child, name.c_str(), &setup.actions, setup.attributes.get(), arguments.data(), environ))
    throw Error(fmt::format("{} cannot be started ({}). Install it beside brisance.", name, std::strerror(reason)));
  return child;
}

/// The wait status of the child; kills it at the time limit. Leaves no zombie.
int wait_for(pid_t child, const ChildProgram& program) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  std::chrono::milliseconds pause{1};
  ProgressClock progress;
  for (int status = 0;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR)
      throw Error(
          fmt::format("The process {} cannot be waited for ({}). Run again without a wrapper that collects child "
                      "processes.",
                      program.name, std::strerror(errno)));
    if (Clock::now() - begin > program.time_limit) {
      kill(child, SIGKILL);
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      throw Error(fmt::format("{} did not finish within {:g} s and was stopped. {}", program.who,
                              program.time_limit.count(), program.when_slow));
    }
    if (progress.is_due()) spdlog::info("{} is still running, {:.0f} s so far", program.who, progress.passed_s());
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds{8});
  }
}

/// The last line that the child wrote, for the message.
std::string last_line(const MemoryFile& said) {
  constexpr off_t kLookedAt = 4096;
  const off_t size = lseek(said.descriptor(), 0, SEEK_END);
  std::string text(static_cast<std::size_t>(std::clamp<off_t>(size, 0, kLookedAt)), '\0');
  const ssize_t got = pread(said.descriptor(), text.data(), text.size(), std::max<off_t>(size - kLookedAt, 0));
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  const auto end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "it said nothing";
  text.resize(end + 1);
  return "it said: " + text.substr(text.rfind('\n') + 1).substr(0, 200);
}

std::string gibibytes(std::int64_t bytes) {
  return fmt::format("{:.2g} GiB", static_cast<double>(bytes) / (std::int64_t{1} << 30));
}

/// A signal from outside is no fault of the input; one raised by the child may be.
[[noreturn]] void fail_at_signal(int signal, const std::string& said, const ChildProgram& program) {
  const std::string name = fmt::format("signal {} ({})", signal, strsignal(signal));
  if (signal == SIGKILL)
    throw Error(
        fmt::format("{} was ended from outside by {}: where nobody sent it, the system did because memory ran out ({} "
                    "are free now; dmesg or the batch system's report says so). {}, or use a machine with more memory.",
                    program.who, name, gibibytes(available_memory_bytes()), program.less));
  if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGQUIT)
    throw Error(fmt::format("{} was ended from outside by {}: a user or the batch system stopped it. Start again.",
                            program.who, name));
  if (signal == SIGALRM || signal == SIGXCPU)
    throw Error(fmt::format("{} was ended by {}: it ran out of time. {}", program.who, name, program.when_slow));
  throw FailedMeshing(fmt::format("{} crashed with {}; {}. {}", program.who, name, said, program.when_broken));
}

void require_success(int status, const std::string& said, std::int64_t memory_byte, const ChildProgram& program) {
  if (WIFSIGNALED(status)) fail_at_signal(WTERMSIG(status), said, program);
  const int code = WEXITSTATUS(status);
  if (code == kChildOutOfMemory)
    throw Error(
        fmt::format("{} ran out of memory: it may have {}, nine tenths of what was free. {} or use a machine with more "
                    "memory.",
                    program.who, gibibytes(memory_byte), program.less));
  if (code == kChildBadExchange)
    throw Error(
        fmt::format("{} could not read its task or leave its answer ({}). {}, or use a machine with more memory.",
                    program.name, said, program.less));
  if (code != kChildDone)
    throw FailedMeshing(fmt::format("{} gave up with code {} ({}). {}", program.who, code, said, program.when_broken));
}

/// Most memory the child may have: nine tenths of what is free now.
std::int64_t memory_bound_byte(const ChildProgram& program) {
  if (program.memory_bound_byte > 0) return program.memory_bound_byte;
  const std::int64_t available = available_memory_bytes();
  return std::min(available - available / 10, std::int64_t{1} << 50);
}

ChildBounds bounds(const ChildProgram& program) {
  constexpr std::int64_t kAfterUs_s = 2;  // the parent ends the child first, with a better message
  return {getpid(), memory_bound_byte(program), static_cast<std::int64_t>(program.time_limit.count()) + kAfterUs_s};
}

void write_request(const Exchange& exchange, const ChildBounds& bounds, const ChildProgram& program,
                   const std::function<void(Outbox&)>& ask) {
  Outbox request(exchange.request.descriptor());
  try {
    put_bounds(request, bounds);
    ask(request);
  } catch (const BadExchange& error) {
    throw Error(fmt::format("The task of {} does not fit into memory ({}). {}, or use a machine with more memory.",
                            program.name, error.what(), program.less));
  }
  exchange.request.rewind();
}

/// @param kind  of file, for the message: "program"
/// @param mode  of access(2) that it must allow
fs::path find_beside(const std::string& name, const std::string& who, const std::string& kind, int mode) {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path(), above = here.parent_path();
  const std::array folders{here, above, above / "libexec" / "brisance"};
  for (const fs::path& folder : folders)
    if (fs::path file = folder / name; access(file.c_str(), mode) == 0) return file;
  std::error_code ignored;
  fs::path build = "build/release";
  for (const fs::path& folder : {above, here})
    if (fs::exists(folder / "CMakeCache.txt", ignored)) build = folder;
  throw MissingProgram(
      fmt::format("{} needs the {} {}, which is not there: it is in none of {}, {} and {}. Build it with `cmake "
                  "--build {} --target {}`, or install it beside brisance.",
                  who, kind, name, folders[0].string(), folders[1].string(), folders[2].string(), build.string(),
                  fs::path(name).stem().string()));
}

}  // namespace

fs::path find_program(const std::string& name, const std::string& who) {
  return find_beside(name, who, "program", X_OK);
}

fs::path find_module(const std::string& name, const std::string& who) {
  return find_beside(name, who, "library", R_OK);
}

void run_child(const ChildProgram& program, const std::function<void(Outbox&)>& ask,
               const std::function<void(Inbox&)>& take) {
  const fs::path file = program.at.empty() ? find_program(program.name, program.who) : program.at;
  const Exchange exchange;
  const ChildBounds limits = bounds(program);
  write_request(exchange, limits, program, ask);
  const int status = wait_for(start(file, program.argument, exchange), program);
  require_success(status, last_line(exchange.said), limits.memory_byte, program);

  exchange.answer.rewind();
  Inbox answer(exchange.answer.descriptor());
  try {
    take(answer);
  } catch (const BadExchange& error) {
    throw Error(fmt::format("{} wrote no readable result ({}; {}). {}", program.name, error.what(),
                            last_line(exchange.said), program.when_broken));
  }
}

}  // namespace brisance::core
