/// Writes rows into a file that has its place on the disk already. Full pages of it go past the page cache where the
/// file system can: copying into the cache takes the time of a core, and the solver computes on all of them.
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
  /// Of a file that is there. Throws core::Error.
  explicit RowWriter(std::filesystem::path file);

  /// Throws core::Error.
  void write(const char* data, std::uint64_t bytes, std::uint64_t at);
  /// All that was written is on the disk. Throws core::Error.
  void flush();

private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  void write_through_cache(const char* data, std::uint64_t bytes, std::uint64_t at);
  /// Of full pages, a chunk at most; false where the file system cannot.
  bool write_past_cache(const char* data, std::uint64_t bytes, std::uint64_t at);

  std::filesystem::path path_;
  PosixFile file_;
  std::optional<PosixFile> direct_;      ///< the same file, past the cache, where that is possible
  std::unique_ptr<char, Free> aligned_;  ///< one chunk
};

}  // namespace brisance::io
