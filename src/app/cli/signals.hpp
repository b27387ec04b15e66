/// Signals that ask a run to stop: it finishes its step and reports it, instead of leaving incomplete results.
#pragma once

#include "brisance/core/error.hpp"

#include <filesystem>
#include <functional>
#include <thread>

namespace brisance::app {

/// Runs `work` and restores an ignored SIGHUP (as under nohup) afterwards: libraries that set and remove handlers of
/// their own do not preserve it. Local.
void keeping_ignored_hangup(const std::function<void()>& work);

/// From now on SIGTERM, SIGUSR2, SIGHUP and the first SIGINT only set a flag; a second SIGINT ends the program as
/// usual. A SIGHUP that was ignored when the program started, as under nohup, stays ignored. Local.
void note_stop_signals();

/// From now on SIGUSR1 only sets a flag. Local.
void note_checkpoint_signals();

/// True once for each SIGUSR1 on this rank. Local.
[[nodiscard]] bool take_checkpoint_note();

/// True once a stop signal has arrived on this rank. Local.
[[nodiscard]] bool stop_noted();

/// While it lives, `tell` is called from a separate thread as soon as a stop signal arrives on this rank, whatever the
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

/// The error of a run into folder `out` that stopped because of a signal.
[[nodiscard]] core::Error stopped_by_signal(const std::filesystem::path& out);

/// A write beyond the file-size limit fails with an error, which is reported, instead of killing the program. Local.
void ignore_file_size_signal();

}  // namespace brisance::app
