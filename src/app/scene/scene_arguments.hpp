/// Arguments shared by run, check and evaluate: a scene file and its overrides.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/sim/parameters.hpp"

#include "app/cli/output_files.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace brisance::app {

struct SceneArguments {
  std::filesystem::path file;  ///< as written by the user; resolved by find_scene
  std::vector<std::string> overrides;
};

/// Adds SCENE (or, for a named option, --scene) and --set.
void add_scene(CLI::App& command, SceneArguments& arguments, const std::string& option = "SCENE");

/// Reads the scene on every rank; all of them throw core::BadInput if one fails. Collective.
[[nodiscard]] sim::Scene read_scene_together(const core::Comm& comm, const SceneArguments& arguments);

/// guard_outputs for a command that reads a scene: its inputs are the scene file, the files that the scene names, and
/// `others`. Collective; throws core::BadInput on all ranks.
void guard_scene_outputs(const core::Comm& comm, const sim::Scene& scene, const SceneArguments& arguments,
                         const std::vector<OutputFile>& outputs, bool overwrite,
                         const std::vector<std::filesystem::path>& others = {});

}  // namespace brisance::app
