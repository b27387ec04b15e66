/// `brisance diff`: compares two outputs by id, bitwise or within a tolerance.
#include "brisance/core/error.hpp"
#include "brisance/core/progress.hpp"
#include "brisance/io/diff.hpp"
#include "brisance/sim/output/checkpoint.hpp"
#include "brisance/sim/output/diff_checkpoints.hpp"

#include "app/cli/session.hpp"
#include "app/commands/commands.hpp"

#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace brisance::app {

namespace {

struct DiffArguments {
  std::filesystem::path a, b;
  double tolerance = 0;
};

bool checkpoints_differ(const DiffArguments& arguments) {
  if (arguments.tolerance != 0) throw core::Error("--tolerance: checkpoints are compared to the bit only.");
  const std::vector<std::string> lines = sim::diff_checkpoints(arguments.a, arguments.b);
  for (const std::string& line : lines) std::cout << line << '\n';
  std::cout << (lines.empty() ? "equal: a run continues from both with the same bits\n" : "different checkpoints\n")
            << std::flush;
  return !lines.empty();
}

/// Rank 0 compares and broadcasts the outcome.
int diff(const core::Comm& comm, const DiffArguments& arguments) {
  bool different = false;
  core::agree_on_input(comm, [&] {
    if (!comm.is_root()) return;
    const core::Heartbeat comparing("comparing");
    if (sim::is_checkpoint(arguments.a) && sim::is_checkpoint(arguments.b)) {
      different = checkpoints_differ(arguments);
      return;
    }
    const io::PathDiff result = io::diff_paths(arguments.a, arguments.b, arguments.tolerance);
    std::cout << result.text() << std::flush;
    different = !result.equal();
  });
  return comm.any(different) ? kDifferent : kSuccess;
}

}  // namespace

void add_diff(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("diff", "compare two snapshots or two runs by global id");
  auto arguments = std::make_shared<DiffArguments>();
  command->add_option("A", arguments->a, "snapshot (.hdf), run folder or checkpoint (.h5)")->required();
  command->add_option("B", arguments->b, "another one")->required();
  command->add_option("--tolerance", arguments->tolerance,
                      "largest difference, as a share of the field's largest magnitude; 0: every bit must agree");
  command->footer(
      "Exit code 0 if they agree, 1 if not.\n"
      "Example: brisance diff runs/one_rank runs/four_ranks\n"
      "         brisance diff a.hdf b.hdf --tolerance 1e-9");
  command->callback(
      [arguments, &action] { action = [arguments](const core::Comm& c) { return diff(c, *arguments); }; });
}

}  // namespace brisance::app
