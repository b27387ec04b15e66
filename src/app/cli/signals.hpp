/// Signals that ask a run to end: it finishes its step and says so, instead of dying with its results half written.
#pragma once

#include "brisance/core/error.hpp"

#include <filesystem>
#include <functional>
#include <thread>

namespace brisance::app {

/// Runs `work`, after which a SIGHUP that was ignored, as under nohup, still is: libraries that set handlers of their
/// own and take them away do not know of it. Local.
void keeping_ignored_hangup(const std::function<void()>& work);

/// From now on SIGTERM, SIGUSR2, SIGHUP and the first SIGINT only leave a note; a second SIGINT ends the program as
/// usual. A SIGHUP that was ignored when the program started, as under nohup, still is. Local.
void note_stop_signals();

/// From now on SIGUSR1 only leaves a note. Local.
void note_checkpoint_signals();

/// True once for each such note on this rank. Local.
[[nodiscard]] bool take_checkpoint_note();

/// True once a signal was noted on this rank. Local.
[[nodiscard]] bool stop_noted();

/// While it lives, `tell` is called from a thread of its own as soon as a stop is noted on this rank, whatever the
/// program is doing: a step may take longer than a launcher waits. One at a time. Local.
class StopListener {
public:
  explicit StopListener(std::function<void()> tell);
  ~StopListener();
  StopListener(const StopListener&) = delete;
  StopListener& operator=(const StopListener&) = delete;

private:
  std::thread thread_;
};

/// The error that ends a run into folder `out` that stopped because of a signal.
[[nodiscard]] core::Error stopped_by_signal(const std::filesystem::path& out);

/// A write beyond the file-size limit fails with an error, which is reported, instead of killing the program. Local.
void ignore_file_size_signal();

}  // namespace brisance::app
