/// The program: options in, exit code out. Everything else is in the commands.
#include "app/cli/session.hpp"
#include "app/commands/command_line.hpp"

/// What jemalloc starts with (MALLOC_CONF in the environment has the last word): large pages. Candidates of contact,
/// fronts of cracks and what else belongs to a single node or tet are small lists in no order, and with pages of 4 KiB
/// each access to one waits for the translation of its address: contact took half as long again, or three quarters.
extern "C" const char* malloc_conf;  // NOLINT(readability-redundant-declaration)
const char* malloc_conf = "thp:always,metadata_thp:auto";

int main(int argc, char** argv) {
  const brisance::app::Arguments arguments = brisance::app::split_arguments(argc, argv);
  return brisance::app::Session::start_and_run(arguments.petsc, [&](const brisance::core::Comm& comm) {
    return brisance::app::run_command_line(comm, arguments);
  });
}
