/// The command line: separates PETSc's options, then parses one sub-command with its own.
#pragma once

#include "brisance/core/comm.hpp"

#include <string>
#include <vector>

namespace brisance::app {

struct Arguments {
  std::vector<std::string> own;    ///< the program's own options, without its name
  std::vector<std::string> petsc;  ///< from the first PETSc option on
};

/// PETSc options have one dash and a name of several letters (-dyn_pc_type gamg); they come last.
[[nodiscard]] Arguments split_arguments(int argc, const char* const* argv);

/// Parses, then runs the sub-command. Returns the exit code. Throws core::BadInput for an invalid command line.
/// Collective.
int run_command_line(const core::Comm& comm, const Arguments& arguments);

}  // namespace brisance::app
