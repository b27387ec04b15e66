#include "app/scene/scene_arguments.hpp"

#include "brisance/core/error.hpp"

#include "app/scene/find_scene.hpp"
#include "app/scene/input_files.hpp"
#include "app/scene/scene.hpp"

namespace brisance::app {

void add_scene(CLI::App& command, SceneArguments& arguments, const std::string& option) {
  command
      .add_option(option, arguments.file,
                  "scene file (TOML; keys in docs/SCENES.md), or the name of a scene that came along, as bowl")
      ->required();
  command
      .add_option("--set", arguments.overrides,
                  "override a key of the scene, as in --set time.duration_s=0.05; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

sim::Scene read_scene_together(const core::Comm& comm, const SceneArguments& arguments) {
  sim::Scene scene;
  core::agree_on_input(comm, [&] { scene = read_scene(find_scene(arguments.file), arguments.overrides); });
  return scene;
}

void guard_scene_outputs(const core::Comm& comm, const sim::Scene& scene, const SceneArguments& arguments,
                         const std::vector<OutputFile>& outputs, bool overwrite,
                         const std::vector<std::filesystem::path>& others) {
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    std::vector<std::filesystem::path> inputs = files_of(scene);
    inputs.push_back(find_scene(arguments.file));
    inputs.insert(inputs.end(), others.begin(), others.end());
    guard_outputs(inputs, outputs, overwrite);
  });
}

}  // namespace brisance::app
