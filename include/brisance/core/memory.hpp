/// Memory used by this process, and memory available to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace brisance::core {

/// Peak resident memory of this process since it started [byte].
[[nodiscard]] std::int64_t peak_memory_bytes();

/// Memory that processes of this machine can still allocate without swapping, within the limits of this process's
/// control group (as set by SLURM, systemd or a container) [byte]. Local; a very large number if the system does not
/// say.
[[nodiscard]] std::int64_t available_memory_bytes();

/// Memory of the elements of these arrays, without memory that the elements own elsewhere [byte].
template <class... Arrays>
[[nodiscard]] std::size_t bytes_of(const Arrays&... arrays) {
  const auto of_one = [](const auto& array) {
    if constexpr (requires { array.span(); })
      return array.span().size_bytes();
    else
      return std::span(array).size_bytes();
  };
  return (std::size_t{0} + ... + of_one(arrays));
}

}  // namespace brisance::core
