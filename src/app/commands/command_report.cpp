/// `brisance report`: a run, or fracture modes, as one HTML page.
#include "brisance/breaking/breakable.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/exports/modes_report.hpp"
#include "brisance/exports/report.hpp"

#include "app/cli/output_files.hpp"
#include "app/cli/session.hpp"
#include "app/commands/commands.hpp"
#include "app/modes/breakable_arguments.hpp"
#include "app/scene/input_files.hpp"

#include <iostream>
#include <map>
#include <memory>
#include <numeric>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

struct ReportArguments {
  std::filesystem::path run, out;
  exports::ReportOptions options;
  bool overwrite = false;
};

std::string report_words(const exports::ReportFacts& facts, const std::filesystem::path& out) {
  std::string text = fmt::format("{}: {}, {}, {:.1f} MB\n", out.string(), core::counted(facts.num_pieces, "piece"),
                                 core::counted(facts.frames_shown, "frame"), 1e-6 * static_cast<double>(facts.bytes));
  if (facts.frames_shown < facts.num_frames)
    text += fmt::format("{} of {} frames are left out, so that the page stays small; --max-mb allows more.\n",
                        facts.num_frames - facts.frames_shown, facts.num_frames);
  return text;
}

/// The page of a file of modes.
exports::ReportFacts write_page_of_modes(const ReportArguments& arguments, const std::filesystem::path& out) {
  const breaking::BreakableParameters parameters = with_only({}, runtime::Smear::elastic);
  breaking::Breakable object = breaking::read_breakable(arguments.run, parameters);
  warn_if_incomplete(arguments.run, object.is_complete);
  runtime::Answer all;  // each atom by itself
  all.num_pieces = object.set.num_atoms();
  all.piece_of_atom.resize(object.set.atoms.size());
  std::iota(all.piece_of_atom.begin(), all.piece_of_atom.end(), 0);
  io::PiecesFile pieces = breaking::pieces_after(object, parameters, all);
  return exports::write_modes_report({arguments.run.stem().stem().string(), std::move(pieces), std::move(object.set)},
                                     out, arguments.options);
}

/// Rank 0 does all the work; the others wait. Collective.
int make_report(const core::Comm& comm, const ReportArguments& arguments) {
  const bool is_of_modes = std::filesystem::is_regular_file(arguments.run) && arguments.run.extension() == ".h5";
  const std::filesystem::path out = !arguments.out.empty() ? arguments.out
                                    : is_of_modes ? std::filesystem::path(arguments.run).replace_extension(".html")
                                                  : arguments.run / "report.html";
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    if (!is_of_modes && !std::filesystem::is_directory(arguments.run))
      throw core::BadInput(arguments.run.string() +
                           " is no folder. Name the folder of a run or playback, or a file of modes (.h5).");
    guard_outputs(is_of_modes ? std::vector{arguments.run} : files_of(arguments.run),
                  {{"--out", out, arguments.out.empty()}}, arguments.overwrite);
  });
  core::agree(comm, [&] {
    if (comm.is_root())
      std::cout << report_words(is_of_modes ? write_page_of_modes(arguments, out)
                                            : exports::write_report(arguments.run, out, arguments.options),
                                out);
  });
  return kSuccess;
}

}  // namespace

void add_report(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("report", "a run, or fracture modes, as one HTML page");
  auto arguments = std::make_shared<ReportArguments>();
  exports::ReportOptions& options = arguments->options;
  const std::map<std::string, exports::Motion> motions{{"auto", exports::Motion::automatic},
                                                       {"rigid", exports::Motion::rigid},
                                                       {"deforming", exports::Motion::deforming}};
  command->add_option("RUN", arguments->run, "folder of a run or playback, or a file of brisance modes (.h5)")
      ->required();
  command->add_option("--out", arguments->out,
                      "file to write (HTML); by default report.html in the folder of the run, or beside the modes");
  command->add_flag("--overwrite", arguments->overwrite, "replace an existing --out");
  command
      ->add_option(
          "--motion", options.motion,
          "rigid: pieces of the last frame that move and turn; deforming: the surface of each frame; auto: "
          "rigid unless the pieces bend by more than 1 % of the object's diagonal, or 0.2 % of the volume became dust")
      ->transform(CLI::CheckedTransformer(motions, CLI::ignore_case))
      ->option_text("auto|rigid|deforming");
  command->add_option("--max-mb", options.most_mb, "most megabytes of moving surfaces; frames are left out for it")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--javascript", options.javascript, "folder with three/ and chart.js/ of Debian's libjs packages")
      ->capture_default_str();
  command->footer(
      "The page has everything in it and is opened without a network. It needs libjs-three and libjs-chart.js when it "
      "is\n"
      "written.\n"
      "Examples: brisance report runs/bowl\n"
      "          brisance report cup.modes.h5\n"
      "          brisance report runs/bowl_debris --out debris.html --max-mb 30");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return make_report(c, *arguments); }; });
}

}  // namespace brisance::app
