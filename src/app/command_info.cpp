/// `brisance info`: what a file holds, and the pages that the program prints about itself.
#include "app/commands.hpp"
#include "app/scene.hpp"
#include "app/session.hpp"

#include <iostream>
#include <memory>

namespace brisance::app {

namespace {

struct InfoArguments {
  bool reference = false;
  bool schema = false;
};

int info(const core::Comm& comm, const InfoArguments& arguments) {
  if (!comm.is_root()) return kSuccess;
  if (arguments.reference) std::cout << scene_reference_markdown();
  if (arguments.schema) std::cout << scene_schema_json();
  return kSuccess;
}

}  // namespace

void add_info(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("info", "print the reference of scene keys");
  auto arguments = std::make_shared<InfoArguments>();
  CLI::Option_group* what = command->add_option_group("what");
  what->add_flag("--scene-reference", arguments->reference, "print docs/SCENES.md: every key of a scene file");
  what->add_flag("--scene-schema", arguments->schema, "print docs/scene.schema.json, for editors");
  what->require_option(1);
  command->footer("Example: brisance info --scene-reference > docs/SCENES.md");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return info(c, *arguments); }; });
}

}  // namespace brisance::app
