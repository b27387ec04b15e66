#include "brisance/core/memory.hpp"

#include <sys/resource.h>

namespace brisance::core {

std::int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

}  // namespace brisance::core
