#include "app/cli/output_files.hpp"

#include "brisance/core/error.hpp"

#include <array>
#include <fstream>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <sys/stat.h>

namespace brisance::app {

namespace fs = std::filesystem;

namespace {

using Identity = std::pair<dev_t, ino_t>;

/// Nothing if the file does not exist; links are followed.
std::optional<Identity> identity_of(const fs::path& path) {
  struct stat status {};
  if (path.empty() || ::stat(path.c_str(), &status) != 0) return std::nullopt;
  return Identity{status.st_dev, status.st_ino};
}

/// The name without links and dots; the file need not exist.
fs::path resolved(const fs::path& path) {
  std::error_code failure;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path), failure);
  return failure ? fs::absolute(path).lexically_normal() : whole;
}

std::string named(const OutputFile& output) { return output.path.string() + " (" + output.option + ")"; }

void refuse_unless_new(const OutputFile& output, bool overwrite) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(output.path, ignored))) return;
  if (fs::is_directory(output.path, ignored))
    throw core::BadInput(named(output) + " is a folder. Give the name of a file.");
  if (fs::exists(output.path, ignored) && !fs::is_regular_file(output.path, ignored))
    throw core::BadInput(named(output) + " is not a regular file. Choose another name.");
  if (!overwrite && !output.replaces_existing)
    throw core::BadInput(named(output) + " exists. Choose another name, or allow replacing it with --overwrite.");
}

}  // namespace

void guard_outputs(const std::vector<fs::path>& inputs, const std::vector<OutputFile>& outputs, bool overwrite) {
  std::set<Identity> read, written;
  for (const fs::path& input : inputs)
    if (const auto identity = identity_of(input)) read.insert(*identity);
  std::set<fs::path> names;
  for (const OutputFile& output : outputs) {
    if (output.path.empty()) continue;
    const auto identity = identity_of(output.path);
    if (identity && read.contains(*identity))
      throw core::BadInput(named(output) + " is an input. Choose another name.");
    if (!names.insert(resolved(output.path)).second || (identity && !written.insert(*identity).second))
      throw core::BadInput(named(output) + " is the file of another output as well. Give each a name of its own.");
  }
  for (const OutputFile& output : outputs)
    if (!output.path.empty()) refuse_unless_new(output, overwrite);
}

bool is_picture(const fs::path& file) {
  constexpr std::string_view kPng("\x89PNG\r\n\x1a\n", 8), kOpenExr("\x76\x2f\x31\x01", 4);
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  std::array<char, kPng.size()> start{};
  std::ifstream(file, std::ios::binary).read(start.data(), start.size());
  const std::string_view text(start.data(), start.size());
  return text == kPng || text.starts_with(kOpenExr);
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  const fs::path relative = resolved(file).lexically_relative(resolved(folder / ""));
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace brisance::app
