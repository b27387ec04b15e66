#include "app/cli/writable.hpp"

#include "brisance/core/error.hpp"

#include <cerrno>
#include <cstring>

#include <unistd.h>

namespace brisance::app {

void require_writable(const std::filesystem::path& file) {
  if (file.empty()) return;
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code ignored;
  if (std::filesystem::exists(folder, ignored) && !std::filesystem::is_directory(folder, ignored))
    throw core::BadInput("cannot write " + file.string() + ": " + folder.string() +
                         " is not a folder. Choose another name.");
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw core::BadInput("cannot write " + file.string() + ": " + std::strerror(errno) +
                         ". Choose a folder that is there and that you may write to.");
}

}  // namespace brisance::app
