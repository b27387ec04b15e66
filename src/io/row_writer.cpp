#include "io/row_writer.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace brisance::io {

namespace {

constexpr std::uint64_t kPage = 4096;                     ///< suits all disks and file systems
constexpr std::uint64_t kChunk = std::uint64_t{1} << 22;  ///< bytes of one write

}  // namespace

RowWriter::RowWriter(std::filesystem::path file) : path_(std::move(file)), file_(path_, O_WRONLY) {
  aligned_.reset(static_cast<char*>(std::aligned_alloc(kPage, kChunk)));
  if (aligned_ == nullptr) return;
  try {
    direct_.emplace(path_, O_WRONLY | O_DIRECT);
  } catch (const core::Error&) {  // not supported by the file system
  }
}

void RowWriter::write(const char* data, std::uint64_t bytes, std::uint64_t at) {
  while (bytes > 0) {
    std::uint64_t some = std::min(bytes, kChunk);
    if (direct_ && at % kPage != 0) some = std::min(some, kPage - at % kPage);  // ends at a page boundary
    if (const std::uint64_t pages = some - some % kPage;
        at % kPage == 0 && pages > 0 && write_past_cache(data, pages, at))
      some = pages;
    else
      write_through_cache(data, some, at);
    data += some;
    at += some;
    bytes -= some;
  }
}

bool RowWriter::write_past_cache(const char* data, std::uint64_t bytes, std::uint64_t at) {
  if (!direct_) return false;
  std::memcpy(aligned_.get(), data, bytes);
  ssize_t written = 0;
  do written = ::pwrite(direct_->raw(), aligned_.get(), bytes, static_cast<off_t>(at));
  while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(bytes)) return true;
  if (written < 0 && errno != EINVAL) throw system_error("write", path_, kDiskAdvice);
  // The rest of a short write goes through the cache, where the failure gets its reason.
  direct_.reset();
  return false;
}

void RowWriter::write_through_cache(const char* data, std::uint64_t bytes, std::uint64_t at) {
  while (bytes > 0) {
    const ssize_t written = ::pwrite(file_.raw(), data, bytes, static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw system_error("write", path_, kDiskAdvice);
    // The disk starts writing while the next chunk is copied; where that is not supported, fsync does it all.
    (void)::sync_file_range(file_.raw(), static_cast<off_t>(at), written, SYNC_FILE_RANGE_WRITE);
    data += written;
    at += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::uint64_t>(written);
  }
}

void RowWriter::flush() {
  if (::fsync(file_.raw()) != 0) throw system_error("flush", path_, kDiskAdvice);
}

}  // namespace brisance::io
