/// Signals kept away from threads and libraries that must not take them.
#pragma once

#include <csignal>

namespace brisance::core {

/// Blocks signals for this thread, and for threads that it starts, during its lifetime. Local.
class SignalsBlocked {
public:
  /// All signals.
  SignalsBlocked();
  /// This signal alone.
  explicit SignalsBlocked(int signal);
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
  sigset_t before_{};
};

/// Keeps SIGTERM away from a library that handles it for its own errors, as METIS does: blocks it in this thread, and
/// restores the program's handler at the end, so that a SIGTERM that came meanwhile acts then. Other threads of the
/// program have to block it already. Local.
class SigtermGuard {
public:
  SigtermGuard();
  ~SigtermGuard();
  SigtermGuard(const SigtermGuard&) = delete;
  SigtermGuard& operator=(const SigtermGuard&) = delete;

private:
  SignalsBlocked blocked_;
  struct sigaction handler_ {};
};

}  // namespace brisance::core
