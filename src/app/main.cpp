/// The program: options in, exit code out. Everything else is in the commands.
#include "app/cli/session.hpp"
#include "app/commands/command_line.hpp"

int main(int argc, char** argv) {
  const brisance::app::Arguments arguments = brisance::app::split_arguments(argc, argv);
  const brisance::app::Session session(arguments.petsc);
  return session.run(
      [&](const brisance::core::Comm& comm) { return brisance::app::run_command_line(comm, arguments); });
}
