/// The program: reads options and returns an exit code. Everything else is in the commands.
#include "app/batch/child_runs.hpp"
#include "app/cli/session.hpp"
#include "app/commands/command_line.hpp"

/// Settings of jemalloc (MALLOC_CONF in the environment overrides them): large pages. Contact candidates, crack fronts
/// and other data of single nodes or tets are small lists in no order, and with pages of 4 KiB each access waits for
/// address translation: contact took 50 to 75 % longer.
extern "C" const char* malloc_conf;  // NOLINT(readability-redundant-declaration)
const char* malloc_conf = "thp:always,metadata_thp:auto";

int main(int argc, char** argv) {
  brisance::app::end_with_parent();
  const brisance::app::Arguments arguments = brisance::app::split_arguments(argc, argv);
  return brisance::app::Session::start_and_run(arguments.petsc, [&](const brisance::core::Comm& comm) {
    return brisance::app::run_command_line(comm, arguments);
  });
}
