#include "app/commands/skin_arguments.hpp"

namespace brisance::app {

void add_skin_options(CLI::App& command, exports::FragmentOptions& options) {
  command.add_flag("!--no-skin", options.with_skin, "keep the outside of the tets instead of the input's surface");
  command
      .add_option(
          "--input", options.input,
          "surface file to put on, where the run does not know it (playbacks), or the file has moved; of a file "
          "of pieces the source of its materials")
      ->check(CLI::ExistingFile);
  command.add_option("--scale", options.input_scale, "factor that turns the lengths of --input into metres")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option("--crumbs", options.crumb_share, "pieces below this share of the mass become particles; 0: none does")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command
      .add_option("--density", options.density_kg_m3,
                  "of all pieces [kg/m³]; by default that of the scene's materials, or 1000 where there is none")
      ->check(CLI::PositiveNumber);
}

}  // namespace brisance::app
