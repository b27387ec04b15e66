#include "brisance/core/fresh_file.hpp"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace brisance::core {

bool make_fresh_file(const std::filesystem::path& file) {
  if (::unlink(file.c_str()) != 0 && errno != ENOENT) return false;
  const int made = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (made < 0) return false;
  ::close(made);
  return true;
}

}  // namespace brisance::core
