#include "app/commands/command_line.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/log.hpp"

#include "app/cli/nearest.hpp"
#include "app/cli/session.hpp"
#include "app/cli/version.hpp"
#include "app/commands/commands.hpp"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

bool is_petsc_option(const std::string& word) {
  return word.size() > 2 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1])) != 0;
}

constexpr const char* kProgramFooter =
    "Lengths are in metres, times in seconds, stresses in pascal, everywhere.\n"
    "Options of PETSc (one dash, as -log_view) come last.\n"
    "Exit codes: 0 done, 1 diff found differences or overlaps a piece inside another, 2 bad input, 3 a run could not "
    "continue, 69 a program that is needed "
    "is "
    "not built, 75 a run was asked to stop and can be resumed.\n"
    "`brisance COMMAND --help` has the options and examples of a command.";

/// Texts are separated by form feeds.
void print_help_of_all(const CLI::App& program) {
  std::cout << program.help();
  for (const CLI::App* command : program.get_subcommands({})) std::cout << '\f' << command->help(program.get_name());
}

/// Long names of a command's options, without dashes.
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  return names;
}

/// Suggests the intended option for one that a command does not have.
std::string advice_on_option(const CLI::App& command, const std::string& word) {
  const std::size_t begin = word.find_first_not_of('-');
  const std::string name = begin == std::string::npos ? "" : word.substr(begin, word.find('=') - begin);
  for (const char* ranks : {"rank", "ranks", "np", "n", "nprocs"})
    if (name == ranks)
      return " The launcher is told how many ranks there are: mpirun -n 4 brisance " + command.get_name() +
             " ... (scripts/run.sh has --ranks).";
  std::string meant = suggestion(name, option_names(command));
  if (const auto at = meant.find("mean "); at != std::string::npos) meant.insert(at + 5, "--");
  return meant;
}

/// A message about the first word that is not recognised, if there is one: an unknown command or option.
std::string unknown_word(const CLI::App& program) {
  const std::vector<CLI::App*> chosen = program.get_subcommands();
  const std::vector<std::string> left = program.remaining(true);
  if (chosen.empty()) {
    std::vector<std::string> commands;
    for (const CLI::App* command : program.get_subcommands({})) commands.push_back(command->get_name());
    for (const std::string& word : left)
      if (!word.starts_with('-')) return "there is no command " + word + "." + suggestion(word, commands);
  }
  const CLI::App& command = chosen.empty() ? program : *chosen.front();
  for (const std::string& word : left)
    if (word.starts_with('-') && word.size() > 1)
      return fmt::format("{} has no option {}.{}", command.get_name(), word, advice_on_option(command, word));
  return "";
}

/// Refuses options with numbers that are not finite; CLI11 accepts nan and inf, and its ranges do not refuse nan.
void require_finite_numbers(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string type = option->get_type_name();
    if (!type.starts_with("FLOAT") && !type.starts_with("X,Y,Z")) continue;
    for (const std::string& text : option->results()) {
      char* end = nullptr;
      const double number = std::strtod(text.c_str(), &end);
      if (end != text.c_str() && !std::isfinite(number))
        throw core::BadInput(option->get_name() + " " + text + ": every number must be finite.");
    }
  }
}

/// Appends a pointer to the help.
std::string with_help(std::string message) {
  while (message.ends_with('.')) message.pop_back();
  return message + (message.ends_with('?') ? " " : ". ") + "See brisance --help.";
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
  add_assets(program, action);
  add_dataset(program, action);
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
    const std::string unknown = unknown_word(program);
    throw core::BadInput(with_help(unknown.empty() ? e.what() : unknown));
  }
  for (const CLI::App* command : program.get_subcommands()) require_finite_numbers(*command);
  return action(comm);
}

}  // namespace brisance::app
