#include "app/cli/signals.hpp"

#include "brisance/core/signals.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace brisance::app {

namespace {

volatile std::sig_atomic_t stop_signal = 0, checkpoint_signal = 0;

/// Write end of the pipe of a StopListener; −1: there is none.
std::atomic<int> listener = -1;
static_assert(std::atomic<int>::is_always_lock_free, "read in a signal handler");

constexpr char kStop = 's', kLeave = 'l';

extern "C" void note_stop(int signal) {
  stop_signal = signal;
  const int saved = errno;
  if (const int pipe = listener; pipe >= 0) (void)!::write(pipe, &kStop, 1);
  errno = saved;
}
extern "C" void note_checkpoint(int signal) { checkpoint_signal = signal; }

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Made once and kept until the program ends: a handler in another thread may be about to write to it.
const std::array<int, 2>& pipe_ends() {
  static const std::array<int, 2> ends = [] {
    std::array<int, 2> made{-1, -1};
    return ::pipe2(made.data(), O_CLOEXEC) == 0 ? made : std::array<int, 2>{-1, -1};
  }();
  return ends;
}

}  // namespace

void keeping_ignored_hangup(const std::function<void()>& work) {
  const bool was_ignored = is_ignored(SIGHUP);
  work();
  if (was_ignored) std::signal(SIGHUP, SIG_IGN);
}

void note_stop_signals() {
  struct sigaction action {};
  action.sa_handler = note_stop;
  action.sa_flags = SA_RESTART;  // timeout(1), mpirun and SLURM may send SIGTERM several times
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGUSR2, &action, nullptr);
  if (!is_ignored(SIGHUP)) sigaction(SIGHUP, &action, nullptr);   // nohup: a closed terminal is no reason to stop
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);  // a second Ctrl-C ends at once
  sigaction(SIGINT, &action, nullptr);
}

void note_checkpoint_signals() {
  struct sigaction action {};
  action.sa_handler = note_checkpoint;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
}

bool take_checkpoint_note() {
  const bool noted = checkpoint_signal != 0;
  checkpoint_signal = 0;
  return noted;
}

bool stop_noted() { return stop_signal != 0; }

StopListener::StopListener(std::function<void()> tell) {
  const auto [from, to] = pipe_ends();
  if (from < 0) return;  // the run notices the signal after its step, as without a listener
  {
    const core::SignalsBlocked blocked;
    thread_ = std::thread([from = from, tell = std::move(tell)] {
      for (char word = 0; word != kLeave;) {
        const ssize_t got = ::read(from, &word, 1);
        if (got == 1 && word == kStop) tell();
        if (got == 0 || (got < 0 && errno != EINTR)) return;
      }
    });
  }
  listener = to;
  if (stop_noted()) note_stop(stop_signal);  // noted before the listener existed
}

StopListener::~StopListener() {
  if (!thread_.joinable()) return;
  listener = -1;
  while (::write(pipe_ends()[1], &kLeave, 1) < 0 && errno == EINTR) {
  }
  thread_.join();
}

core::Error stopped_by_signal(const std::filesystem::path& out) {
  return core::Error("a signal asked the run to stop; it wrote a last snapshot into " + out.string() +
                     " and is marked as interrupted. Start it again with --overwrite or another --out.");
}

void ignore_file_size_signal() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace brisance::app
