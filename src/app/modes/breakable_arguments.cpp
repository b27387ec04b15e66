#include "app/modes/breakable_arguments.hpp"

#include <iostream>
#include <map>

namespace brisance::app {

void add_breakable_arguments(CLI::App& command, breaking::BreakableParameters& parameters) {
  command
      .add_option("--gluing", parameters.gluing, "modes that jump by less than this over the root of the volume hold")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      .add_option("--min-volume", parameters.smallest_piece,
                  "share of the volume; what is smaller joins its strongest neighbour")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.5));
  command
      .add_option("--smear-length", parameters.smear.relative_length,
                  "how far a blow spreads, as a share of the cube root of the volume (flat: square root of the area)")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--thickness", parameters.thickness_m, "take a flat body for a plate of this thickness [m]")
      ->check(CLI::PositiveNumber);
}

void add_own_modes_arguments(CLI::App& command, breaking::OwnModesParameters& own) {
  command
      .add_option("--own-modes", own.count,
                  "displacement modes that each piece gets of its own, to break in turn where the object had no crack; "
                  "default 0, none")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--own-volume", own.smallest_body, "share of the volume; smaller pieces get none")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
}

void add_answer_arguments(CLI::App& command, runtime::Smear& smear, runtime::Method& method) {
  command.add_option("--smear", smear, "how the blow spreads: elastic (default) or gaussian")
      ->option_text("elastic|gaussian")
      ->transform(CLI::CheckedTransformer(std::map<std::string, runtime::Smear>{
          {"elastic", runtime::Smear::elastic}, {"gaussian", runtime::Smear::gaussian}}));
  command.add_flag_callback(
      "--least-squares", [&method] { method = runtime::Method::least_squares; },
      "break only near the blow, instead of along whole modes");
}

breaking::BreakableParameters with_only(breaking::BreakableParameters parameters, runtime::Smear smear) {
  parameters.smear.elastic = smear == runtime::Smear::elastic;
  parameters.smear.gaussian = smear == runtime::Smear::gaussian;
  return parameters;
}

void warn_if_incomplete(const std::filesystem::path& modes_file, bool is_complete) {
  if (is_complete) return;
  std::cerr << "brisance: warning: " << modes_file.string()
            << " is of a search that was not finished: what follows uses the modes found so far. `brisance modes "
               "--resume` finds the rest.\n";
}

}  // namespace brisance::app
