#include "brisance/core/share_folder.hpp"

#include <fstream>
#include <string>

namespace brisance::core {

namespace {

namespace fs = std::filesystem;

/// The source folder that CMake noted in its cache; empty if the folder is no build folder.
fs::path source_of(const fs::path& build) {
  const std::string key = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  std::ifstream cache(build / "CMakeCache.txt");
  for (std::string line; std::getline(cache, line);)
    if (line.starts_with(key)) return line.substr(key.size());
  return {};
}

}  // namespace

fs::path share_folder_of(const fs::path& program) {
  const fs::path folder = program.parent_path();
  const fs::path source = source_of(folder), installed = folder.parent_path() / "share" / "brisance";
  std::error_code ignored;
  for (const fs::path& candidate : {source, installed})
    if (!candidate.empty() && fs::is_directory(candidate / "configs", ignored)) return candidate;
  return {};
}

fs::path share_folder() { return share_folder_of(fs::read_symlink("/proc/self/exe")); }

}  // namespace brisance::core
