/// Runs commands of this program in processes of their own, so that what one object does harms no other.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace brisance::app {

/// How a command ended.
struct ChildEnd {
  int exit_code = 0;         ///< valid if signal is 0
  int signal = 0;            ///< signal that ended it
  bool is_too_slow = false;  ///< ended by us at the time limit
  double wall_s = 0;
  std::string error;  ///< its error message, or why there is none; "" on success

  [[nodiscard]] bool succeeded() const { return signal == 0 && exit_code == 0; }
};

/// Starts `brisance ARGUMENTS` without a launcher, waits for it, and ends it when a stop signal arrives, at the time
/// limit, or when this process ends. Its output is appended to `log`. Local, from any thread. Throws core::Error if it
/// cannot be started, core::Stopped after a stop signal (note_stop_signals) to this process or to the command.
[[nodiscard]] ChildEnd run_brisance(const std::vector<std::string>& arguments, const std::filesystem::path& log,
                                    double time_limit_s);

/// In a process of run_brisance: asks the kernel to end it when its parent ends. To be called first of all; does
/// nothing elsewhere.
void end_with_parent();

/// Calls work(0), …, work(num_jobs − 1) from `num_workers` threads, in this order of starts. After an exception no
/// further job starts; the first one is thrown when all have ended. Jobs must not use MPI or HDF5. Local.
void for_each_job(std::size_t num_jobs, std::size_t num_workers, const std::function<void(std::size_t)>& work);

/// Excludes other processes from an object while it lives, by a lock on a file.
class Claim {
public:
  /// Makes the file and its folder if needed. Throws core::Error if it cannot be made.
  explicit Claim(const std::filesystem::path& file);
  ~Claim();
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

  /// False if another process holds it.
  [[nodiscard]] bool is_ours() const { return is_ours_; }
  /// Waits until it is ours.
  void wait();

private:
  int descriptor_ = -1;
  bool is_ours_ = false;
};

}  // namespace brisance::app
