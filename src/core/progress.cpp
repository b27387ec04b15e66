#include "brisance/core/progress.hpp"

#include "brisance/core/signals.hpp"

#include <condition_variable>
#include <mutex>
#include <utility>

#include <spdlog/spdlog.h>

namespace brisance::core {

namespace {

void beat(const std::stop_token& stop, const std::string& what, double interval_s) {
  const double start_s = wall_seconds();
  std::mutex mutex;
  std::condition_variable_any ended;
  std::unique_lock lock(mutex);
  while (!ended.wait_for(lock, stop, std::chrono::duration<double>(interval_s), [&] { return stop.stop_requested(); }))
    spdlog::info("{}: {:.0f} s so far", what, wall_seconds() - start_s);
}

}  // namespace

Heartbeat::Heartbeat(std::string what, double interval_s) {
  const SignalsBlocked blocked;  // the thread inherits that; signals are for the thread that works
  thread_ =
      std::jthread([what = std::move(what), interval_s](const std::stop_token& stop) { beat(stop, what, interval_s); });
}

}  // namespace brisance::core
