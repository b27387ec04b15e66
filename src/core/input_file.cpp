#include "brisance/core/input_file.hpp"

#include "brisance/core/error.hpp"

#include <fstream>

#include <fmt/format.h>

namespace brisance::core {

namespace fs = std::filesystem;

void require_regular_file(const fs::path& file, const std::string& advice) {
  std::error_code failure;
  const fs::file_status status = fs::status(file, failure);
  if (status.type() == fs::file_type::not_found) throw Error(file.string() + ": no such file. " + advice);
  if (fs::is_directory(status)) throw Error(file.string() + " is a folder, not a regular file. " + advice);
  if (status.type() == fs::file_type::none || status.type() == fs::file_type::unknown)
    throw Error(file.string() + " cannot be read: " + failure.message() + ". Check its permissions.");
  if (!fs::is_regular_file(status)) throw Error(file.string() + ": not a regular file. " + advice);
}

std::string read_input(const fs::path& file, const std::string& advice, std::uint64_t most_bytes) {
  require_regular_file(file, advice);
  std::error_code failure;
  const std::uint64_t size = fs::file_size(file, failure);
  if (!failure && size > most_bytes)
    throw Error(fmt::format("{} has {} bytes, and {} are the most that are taken. {}", file.string(), size, most_bytes,
                            advice));
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(failure ? 0 : size, '\0');
  if (failure || !stream || !stream.read(bytes.data(), static_cast<std::streamsize>(size)))
    throw Error(file.string() + " cannot be read. Check its permissions.");
  return bytes;
}

}  // namespace brisance::core
