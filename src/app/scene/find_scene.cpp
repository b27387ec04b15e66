#include "app/scene/find_scene.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/share_folder.hpp"

#include "app/cli/nearest.hpp"

#include <algorithm>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

namespace brisance::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kEnding = ".toml";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_directory(path, ignored);
}

fs::path with_ending(const fs::path& name) {
  return name.extension() == kEnding ? name : fs::path(name.string() + kEnding);
}

}  // namespace

std::vector<std::string> scenes_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == kEnding) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

fs::path find_scene(const fs::path& name, const fs::path& come_along) {
  std::error_code ignored;
  if (is_file(name)) return name;
  if (is_file(with_ending(name))) return with_ending(name);
  const bool may_come_along = name.parent_path().empty() || name.parent_path() == "configs";
  if (const fs::path scene = come_along / with_ending(name.filename());
      !come_along.empty() && may_come_along && is_file(scene))
    return scene;
  if (fs::is_directory(name, ignored))
    throw core::Error(name.string() + " is a folder; name a scene file, for example configs/bowl.toml.");
  const std::vector<std::string> known = scenes_in(come_along);
  throw core::Error(fmt::format(
      "cannot open the scene file {}.{} {}", name.string(), suggestion(name.stem().string(), known),
      known.empty()
          ? std::string("Check the name; no scenes came with this program (share/brisance/configs).")
          : fmt::format("Check the name, or take a scene of {}: {}.", come_along.string(), fmt::join(known, ", "))));
}

fs::path find_scene(const fs::path& name) {
  const fs::path share = core::share_folder();
  return find_scene(name, share.empty() ? share : share / "configs");
}

}  // namespace brisance::app
