/// How much memory the process has needed.
#pragma once

#include <cstdint>

namespace brisance::core {

/// The most memory this process has had resident since it started [byte].
[[nodiscard]] std::int64_t peak_memory_bytes();

}  // namespace brisance::core
