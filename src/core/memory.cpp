#include "brisance/core/memory.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include <sys/resource.h>

namespace brisance::core {

namespace {

constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max();

/// The number in a file; unknown if there is no such file, or it holds a word ("max").
std::int64_t number_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::int64_t value = 0;
  return in >> value ? value : kUnknown;
}

std::int64_t free_on_machine() {
  std::ifstream in("/proc/meminfo");
  std::string key, unit;
  std::int64_t kibibytes = 0;
  while (in >> key >> kibibytes) {
    if (key == "MemAvailable:") return 1024 * kibibytes;
    std::getline(in, unit);
  }
  return kUnknown;
}

/// The smallest free memory over the control group and its ancestors (control groups, version 2).
std::int64_t free_in_group() {
  std::ifstream in("/proc/self/cgroup");
  std::string line;
  while (std::getline(in, line) && !line.starts_with("0::")) continue;
  if (!line.starts_with("0::/")) return kUnknown;
  const std::filesystem::path root = "/sys/fs/cgroup";
  std::int64_t least = kUnknown;
  for (std::filesystem::path group = root / line.substr(4);; group = group.parent_path()) {
    const std::int64_t limit = number_in(group / "memory.max"), used = number_in(group / "memory.current");
    if (limit != kUnknown && used != kUnknown) least = std::min(least, std::max<std::int64_t>(limit - used, 0));
    if (group == root || !group.has_relative_path()) return least;
  }
}

}  // namespace

std::int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

std::int64_t available_memory_bytes() { return std::min(free_on_machine(), free_in_group()); }

}  // namespace brisance::core
