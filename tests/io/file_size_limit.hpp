/// A substitute for a full disk in tests.
#pragma once

#include <csignal>

#include <sys/resource.h>

namespace brisance::test {

/// A limit on the file size stands in for a full disk: the system refuses to let a file grow.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) : old_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, old_);
  }

private:
  rlimit before_{};
  void (*old_)(int);
};

}  // namespace brisance::test
