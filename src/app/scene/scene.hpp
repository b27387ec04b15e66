/// Scene files: converts TOML to sim::Scene and back. Every key, its unit and its range come from tables/.
#pragma once

#include "brisance/sim/parameters.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::app {

/// Reads a scene file, applies `overrides` ("time.duration_s=0.1", "collider[1].mass_kg=5") and checks the whole.
/// Relative file names are resolved beside the scene file, those in overrides in the working folder. Local. Throws
/// core::Error "file:line:column: what. What to do" for the first error.
[[nodiscard]] sim::Scene read_scene(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// The same for text in memory; `name` replaces the file in messages and for relative paths.
[[nodiscard]] sim::Scene parse_scene(const std::string& text, const std::filesystem::path& name,
                                     const std::vector<std::string>& overrides = {});

/// A scene read for its pictures alone: only [render], [camera] and their lists are checked, so that inputs of the run
/// may be gone.
/// @param text    scene of a finished run, named `name` in messages; may be empty
/// @param tables  a TOML file whose [render] and [camera] replace those of the scene, alone or within a whole scene;
///                empty: none
/// @param overrides  as of read_scene, of keys in render and camera
[[nodiscard]] sim::Scene parse_picture_scene(const std::string& text, const std::filesystem::path& name,
                                             const std::filesystem::path& tables,
                                             const std::vector<std::string>& overrides);

/// The complete scene, every default written out; reads back as the identical scene.
[[nodiscard]] std::string to_toml(const sim::Scene& scene);

/// The settings that affect the state of a run, as text: all but its duration, its output (except the energy ledger,
/// which steps may use), camera and title. A run is resumed only under the same settings.
[[nodiscard]] std::string past_of(sim::Scene scene);

/// Throws core::Error unless a run of the scene `before` can be continued under the scene `now`: objects, parts,
/// factors, places of regions, and the number, names and kinds of materials and colliders, which are in its mesh and
/// state, must be the same. Local.
void require_same_state(const sim::Scene& before, const sim::Scene& now);

/// docs/SCENES.md and docs/scene.schema.json as text.
[[nodiscard]] std::string scene_reference_markdown();
[[nodiscard]] std::string scene_schema_json();

}  // namespace brisance::app
