#include "app/commands/command_line.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/log.hpp"

#include "app/cli/session.hpp"
#include "app/cli/version.hpp"
#include "app/commands/commands.hpp"

#include <cctype>
#include <iostream>

namespace brisance::app {

namespace {

bool is_petsc_option(const std::string& word) {
  return word.size() > 2 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1])) != 0;
}

constexpr const char* kProgramFooter =
    "Lengths are in metres, times in seconds, stresses in pascal, everywhere.\n"
    "Options of PETSc (one dash, as -log_view) come last.\n"
    "Exit codes: 0 done, 1 diff found differences or overlaps a piece inside another, 2 bad input, 3 a run could not "
    "go on, 69 a program that is needed "
    "is "
    "not built, 75 a run was asked to stop and can be resumed.\n"
    "`brisance COMMAND --help` has the options and examples of a command.";

/// Form feeds stand between the texts.
void print_help_of_all(const CLI::App& program) {
  std::cout << program.help();
  for (const CLI::App* command : program.get_subcommands({})) std::cout << '\f' << command->help(program.get_name());
}

}  // namespace

Arguments split_arguments(int argc, const char* const* argv) {
  Arguments arguments;
  int i = 1;
  for (; i < argc && !is_petsc_option(argv[i]); ++i) arguments.own.emplace_back(argv[i]);
  for (; i < argc; ++i) arguments.petsc.emplace_back(argv[i]);
  return arguments;
}

int run_command_line(const core::Comm& comm, const Arguments& arguments) {
  CLI::App program("brisance: finite-element fracture on any number of ranks", "brisance");
  program.set_version_flag("--version", std::string("brisance ") + kVersion);
  program
      .add_flag_callback(
          "--help-all", [] { throw CLI::CallForAllHelp(); }, "Print the help of every command and exit")
      ->trigger_on_parse();
  program.require_subcommand(1);
  program.footer(kProgramFooter);
  Action action;
  add_run(program, action);
  add_mesh(program, action);
  add_modes(program, action);
  add_check(program, action);
  add_evaluate(program, action);
  add_render(program, action);
  add_sheet(program, action);
  add_prefracture(program, action);
  add_runtime(program, action);
  add_impact(program, action);
  add_play(program, action);
  add_info(program, action);
  add_diff(program, action);
  add_overlaps(program, action);
  for (const char* name : {"run", "check", "modes", "play"})
    program.get_subcommand(name)->add_flag_callback(
        "--verbose", [&comm] { core::show_details(comm); },
        "also say what developers want to know: load balance, contact detection, solvers, memory");
  for (const std::string& word : arguments.petsc)
    if (word.starts_with("--"))
      throw core::BadInput(word + " stands after an option of PETSc. Put PETSc's options last.");
  try {
    program.parse(std::vector<std::string>(arguments.own.rbegin(), arguments.own.rend()));
  } catch (const CLI::CallForAllHelp&) {
    if (comm.is_root()) print_help_of_all(program);
    return kSuccess;
  } catch (const CLI::Success& asked) {  // --help, --version
    if (comm.is_root()) program.exit(asked);
    return kSuccess;
  } catch (const CLI::ParseError& e) {
    throw core::BadInput(std::string(e.what()) + ". See brisance --help.");
  }
  return action(comm);
}

}  // namespace brisance::app
