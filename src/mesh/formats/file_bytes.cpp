#include "mesh/formats/file_bytes.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/input_file.hpp"

#include "mesh/formats/file_kind.hpp"

#include <algorithm>
#include <cctype>

#include <spdlog/spdlog.h>

namespace brisance::mesh {

std::string read_whole_file(const std::filesystem::path& file) {
  std::string bytes = core::read_input(file, "Give the path of a mesh file.");
  if (bytes.empty()) throw core::Error(fmt::format("{}: the file is empty. Export the mesh again.", file.string()));
  refuse_other_kinds(file, bytes);
  if (std::optional<std::string> text = utf8_of_utf16(bytes)) {
    spdlog::info("{}: a text in UTF-16; it is read as if it were UTF-8.", file.string());
    return *std::move(text);
  }
  return bytes;
}

void fail_at_line(const std::filesystem::path& file, std::int64_t line, std::string_view message) {
  throw core::Error(fmt::format("{}:{}: {}", file.string(), line, message));
}

void fail_at_byte(const std::filesystem::path& file, std::size_t byte, std::string_view message) {
  throw core::Error(fmt::format("{}, byte {}: {}", file.string(), byte, message));
}

std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

}  // namespace brisance::mesh
