/// Thin owner of a POSIX file descriptor; C++ streams offer no fsync and hide the reason of a failure.
#pragma once

#include "brisance/core/error.hpp"
#include "brisance/core/fresh_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace brisance::io {

/// "cannot write a/b.hdf: No space left on device. <advice>", from errno.
[[nodiscard]] inline core::Error system_error(const std::string& verb, const std::filesystem::path& file,
                                              const std::string& advice) {
  return core::Error("cannot " + verb + " " + file.string() + ": " + std::strerror(errno) + ". " + advice);
}

inline constexpr const char* kDiskAdvice =
    "Check that its folder exists and is writable, and the free space and quota.";

class PosixFile {
public:
  /// Throws core::Error if it cannot be opened.
  PosixFile(const std::filesystem::path& file, int flags) : descriptor_(::open(file.c_str(), flags | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) throw system_error("open", file, kDiskAdvice);
  }
  ~PosixFile() { ::close(descriptor_); }
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;

  [[nodiscard]] int raw() const { return descriptor_; }

private:
  int descriptor_;
};

/// Makes an empty new file; an existing file or link of that name is removed. Throws core::Error.
inline void require_fresh(const std::filesystem::path& file) {
  if (!core::make_fresh_file(file)) throw system_error("open", file, kDiskAdvice);
}

/// Reserves `bytes` of disk space; makes the file if it is missing. Throws core::Error.
inline void reserve_space(const std::filesystem::path& path, std::uint64_t bytes) {
  const PosixFile file(path, O_RDWR | O_CREAT);
  if (::fallocate(file.raw(), 0, 0, static_cast<off_t>(bytes)) == 0) return;
  if (errno != EOPNOTSUPP && errno != ENOSYS) throw system_error("write", path, kDiskAdvice);
  // A file system that cannot reserve: at least check the free space.
  if (std::filesystem::space(path.parent_path() / ".").available < bytes) {
    errno = ENOSPC;
    throw system_error("write", path, kDiskAdvice);
  }
}

}  // namespace brisance::io
