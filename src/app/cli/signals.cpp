#include "app/cli/signals.hpp"

#include <csignal>

namespace brisance::app {

namespace {

volatile std::sig_atomic_t stop_signal = 0, checkpoint_signal = 0;

extern "C" void note_stop(int signal) { stop_signal = signal; }
extern "C" void note_checkpoint(int signal) { checkpoint_signal = signal; }

}  // namespace

void note_stop_signals() {
  struct sigaction action {};
  action.sa_handler = note_stop;
  action.sa_flags = SA_RESTART;  // timeout(1), mpirun and SLURM may send SIGTERM more than once
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGUSR2, &action, nullptr);
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

core::Error stopped_by_signal(const std::filesystem::path& out) {
  return core::Error("a signal asked the run to stop; it wrote a last snapshot into " + out.string() +
                     " and is marked as interrupted. Start it again with --overwrite or another --out.");
}

void ignore_file_size_signal() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace brisance::app
