/// `brisance runtime`: converts fracture modes to the small file that a game loads.
#include "brisance/breaking/breakable.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/io/atomic_file.hpp"
#include "brisance/runtime/impact_file.hpp"

#include "app/cli/output_files.hpp"
#include "app/cli/session.hpp"
#include "app/commands/commands.hpp"
#include "app/modes/breakable_arguments.hpp"

#include <iostream>
#include <memory>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

struct RuntimeArguments {
  std::filesystem::path modes, out;
  breaking::BreakableParameters object;
  breaking::OwnModesParameters own;
  std::string smears = "elastic";
  bool overwrite = false;
};

void write(RuntimeArguments arguments) {
  guard_outputs({arguments.modes}, {{"--out", arguments.out}}, arguments.overwrite);
  arguments.object.smear.elastic = arguments.smears != "gaussian";
  arguments.object.smear.gaussian = arguments.smears != "elastic";
  breaking::Breakable object = breaking::read_breakable(arguments.modes, arguments.object);
  warn_if_incomplete(arguments.modes, object.is_complete);
  std::string more;
  if (arguments.own.count > 0) {
    if (object.set.dimension == 2)
      throw core::BadInput(
          arguments.modes.string() +
          " holds modes of a flat body, whose pieces have none of their own: leave out --own-modes, or "
          "give --thickness.");
    breaking::OwnModes own = breaking::own_modes(object, arguments.object, arguments.own);
    more =
        fmt::format("; {} by modes of their own into {}", core::counted(own.num_divided, "atom breaks", "atoms break"),
                    core::counted(own.atoms.num_pieces(), "atom in all", "atoms in all"));
    object.set.own = std::move(own.of_piece);
  }
  const std::string bytes = runtime::encode(object.set);
  io::write_atomically(arguments.out, bytes);
  std::cout << fmt::format(
      "{}: {}, {} between them, {}, {}, {:.3g} MB{}\n", arguments.out.string(),
      core::counted(object.set.num_atoms(), "atom"), core::counted(object.set.faces.size(), "face"),
      core::counted(object.set.num_modes(), "mode"), core::counted(object.set.vertices.size(), "vertex", "vertices"),
      1e-6 * static_cast<double>(bytes.size()), more);
}

}  // namespace

void add_runtime(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("runtime", "write modes as the file that breaks an object in a game");
  auto arguments = std::make_shared<RuntimeArguments>();
  command->add_option("MODES", arguments->modes, "file of brisance modes")->required();
  command->add_option("--out", arguments->out, "file to write; layout in docs/FORMAT.md")->required();
  command->add_option("--smear", arguments->smears, "how blows may spread: elastic, gaussian or both")
      ->capture_default_str()
      ->check(CLI::IsMember({"elastic", "gaussian", "both"}));
  add_breakable_arguments(*command, arguments->object);
  add_own_modes_arguments(*command, arguments->own);
  command->add_flag("--overwrite", arguments->overwrite, "replace the file if it is there");
  command->footer(
      "The C interface that reads it is brisance/runtime/impact.h, library brisance_impact.\n"
      "Example: brisance runtime cup.modes.h5 --out cup.impact");
  command->callback([arguments, &action] {
    action = [arguments](const core::Comm& comm) {
      core::agree_on_input(comm, [&] {
        if (comm.is_root()) write(*arguments);
      });
      return kSuccess;
    };
  });
}

}  // namespace brisance::app
