#include "brisance/io/atomic_file.hpp"

#include "io/posix_file.hpp"

#include <fstream>
#include <iterator>

namespace brisance::io {

namespace {

void write_all(const std::filesystem::path& file, std::string_view text) {
  const PosixFile out(file, O_WRONLY | O_CREAT | O_TRUNC);
  while (!text.empty()) {
    const ssize_t written = ::write(out.raw(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw system_error("write", file, kDiskAdvice);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void sync_folder(const std::filesystem::path& folder) {
  const PosixFile handle(folder.empty() ? std::filesystem::path(".") : folder, O_RDONLY | O_DIRECTORY);
  // Some file systems have no fsync for folders; the rename itself has succeeded.
  if (::fsync(handle.raw()) != 0 && errno != EINVAL) throw system_error("flush", folder, kDiskAdvice);
}

}  // namespace

std::filesystem::path temporary_name(const std::filesystem::path& file) {
  std::filesystem::path name = file;
  name += ".writing";
  return name;
}

void publish(const std::filesystem::path& temporary, const std::filesystem::path& file) {
  {
    const PosixFile written(temporary, O_RDWR);
    if (::fsync(written.raw()) != 0) throw system_error("flush", temporary, kDiskAdvice);
  }
  if (::rename(temporary.c_str(), file.c_str()) != 0) throw system_error("rename to", file, kDiskAdvice);
  sync_folder(file.parent_path());
}

void write_atomically(const std::filesystem::path& file, std::string_view text) {
  const std::filesystem::path temporary = temporary_name(file);
  try {
    write_all(temporary, text);
    publish(temporary, file);
  } catch (const core::Error&) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw system_error("read", file, "Check the name and its permissions.");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw system_error("read", file, "Check the disk.");
  return text;
}

}  // namespace brisance::io
