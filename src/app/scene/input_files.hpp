/// The files behind an input, to compare outputs with.
#pragma once

#include "brisance/sim/parameters.hpp"

#include "app/cli/output_files.hpp"

#include <filesystem>
#include <vector>

namespace brisance::app {

/// All files that a scene names: meshes and surfaces of objects, cavities, parts and colliders. Local.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const sim::Scene& scene);
/// Those of one mesh. Local.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const mesh::Request& mesh);

/// A file and those that are read with it (TetGen's .node, .ele and .face). For a folder: the files of a run in it, its
/// numbered pictures and its snapshots. Local.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const std::filesystem::path& input);

/// The files of a run in the folder `out`, as outputs. RunFolder decides whether they may be replaced. Local.
[[nodiscard]] std::vector<OutputFile> run_outputs(const std::filesystem::path& out);

}  // namespace brisance::app
