#include "brisance/core/signals.hpp"

namespace brisance::core {

SignalsBlocked::SignalsBlocked() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before_);
}

SignalsBlocked::SignalsBlocked(int signal) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  pthread_sigmask(SIG_BLOCK, &one, &before_);
}

SignalsBlocked::~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

SigtermGuard::SigtermGuard() : blocked_(SIGTERM) { sigaction(SIGTERM, nullptr, &handler_); }

SigtermGuard::~SigtermGuard() { sigaction(SIGTERM, &handler_, nullptr); }

}  // namespace brisance::core
