#include "brisance/io/atomic_file.hpp"

#include "brisance/core/input_file.hpp"

#include "io/posix_file.hpp"

#include <chrono>
#include <cstdio>

#include <sys/stat.h>

namespace brisance::io {

namespace {

void write_all(const std::filesystem::path& file, std::string_view text) {
  require_fresh(file);
  const PosixFile out(file, O_WRONLY | O_NOFOLLOW);
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

void sync_file(const std::filesystem::path& file) {
  const PosixFile written(file, O_RDWR | O_NOFOLLOW);
  if (::fsync(written.raw()) != 0) throw system_error("flush", file, kDiskAdvice);
}

/// Runs `work`, which makes a temporary file, and removes that file if it fails.
template <class Work>
auto removing_on_failure(const std::filesystem::path& temporary, const Work& work) {
  try {
    return work();
  } catch (const core::Error&) {
    ::unlink(temporary.c_str());
    throw;
  }
}

/// A temporary name that is unique among processes and machines.
std::filesystem::path own_temporary_name(const std::filesystem::path& file) {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return temporary_name(file).concat("." + std::to_string(::getpid()) + "." + std::to_string(now));
}

/// Gives a complete file a name that must be new, in one step: by a second link or, where a file system has none, by a
/// rename that does not replace. @return false if the name exists; throws core::Error
bool give_new_name(const std::filesystem::path& temporary, const std::filesystem::path& file) {
  if (::link(temporary.c_str(), file.c_str()) == 0) {
    ::unlink(temporary.c_str());
    return true;
  }
  if (errno != EEXIST && ::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, file.c_str(), RENAME_NOREPLACE) == 0)
    return true;
  const bool is_taken = errno == EEXIST;
  struct stat found {};
  // Neither is supported: check that the name is free, then rename.
  if (!is_taken && ::lstat(file.c_str(), &found) != 0 && ::rename(temporary.c_str(), file.c_str()) == 0) return true;
  if (!is_taken && ::lstat(file.c_str(), &found) != 0) throw system_error("rename to", file, kDiskAdvice);
  ::unlink(temporary.c_str());
  return false;
}

}  // namespace

std::filesystem::path temporary_name(const std::filesystem::path& file) {
  std::filesystem::path name = file;
  name += ".writing";
  return name;
}

void publish(const std::filesystem::path& temporary, const std::filesystem::path& file) {
  sync_file(temporary);
  if (::rename(temporary.c_str(), file.c_str()) != 0) throw system_error("rename to", file, kDiskAdvice);
  sync_folder(file.parent_path());
}

void write_atomically(const std::filesystem::path& file, std::string_view text) {
  const std::filesystem::path temporary = temporary_name(file);
  removing_on_failure(temporary, [&] {
    write_all(temporary, text);
    publish(temporary, file);
  });
}

void write_at_once(const std::filesystem::path& file, std::string_view text) {
  const std::filesystem::path temporary = own_temporary_name(file);
  removing_on_failure(temporary, [&] {
    write_all(temporary, text);
    if (::rename(temporary.c_str(), file.c_str()) != 0) throw system_error("rename to", file, kDiskAdvice);
  });
}

bool write_new(const std::filesystem::path& file, std::string_view text) {
  const std::filesystem::path temporary = own_temporary_name(file);
  return removing_on_failure(temporary, [&] {
    write_all(temporary, text);
    sync_file(temporary);
    const bool is_new = give_new_name(temporary, file);
    if (is_new) sync_folder(file.parent_path());
    return is_new;
  });
}

std::string read_text(const std::filesystem::path& file) {
  return core::read_input(file, "Check the name and its permissions.");
}

}  // namespace brisance::io
