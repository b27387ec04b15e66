/// Writes rows into a file whose disk space is already allocated. Full pages bypass the page cache where the file
/// system supports it: copying into the cache would take time of the cores on which the solver runs.
#pragma once

#include "io/posix_file.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

namespace brisance::io {

class RowWriter {
public:
  /// Opens an existing file. Throws core::Error.
  explicit RowWriter(std::filesystem::path file);

  /// Writes `bytes` at position `at`. Throws core::Error.
  void write(const char* data, std::uint64_t bytes, std::uint64_t at);
  /// Returns when all data is on the disk. Throws core::Error.
  void flush();

private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  void write_through_cache(const char* data, std::uint64_t bytes, std::uint64_t at);
  /// Writes full pages, one chunk at most; false where the file system does not support it.
  bool write_past_cache(const char* data, std::uint64_t bytes, std::uint64_t at);

  std::filesystem::path path_;
  PosixFile file_;
  std::optional<PosixFile> direct_;      ///< the same file, opened to bypass the cache, where supported
  std::unique_ptr<char, Free> aligned_;  ///< one chunk
};

}  // namespace brisance::io
