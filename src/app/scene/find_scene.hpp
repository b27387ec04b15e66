/// Finds the file for the name of a scene.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::app {

/// Names of the scenes in a folder, without .toml, in order; none where there is no such folder. Local.
[[nodiscard]] std::vector<std::string> scenes_in(const std::filesystem::path& folder);

/// The file of that name; else NAME.toml; else, for `bowl`, `bowl.toml` and `configs/bowl.toml`, that scene in the
/// folder `come_along`. Throws core::Error, with the names in that folder, if there is none. Local.
[[nodiscard]] std::filesystem::path find_scene(const std::filesystem::path& name,
                                               const std::filesystem::path& come_along);
/// The same with the installed scenes (core::share_folder).
[[nodiscard]] std::filesystem::path find_scene(const std::filesystem::path& name);

}  // namespace brisance::app
