/// MPI, PETSc and SLEPc for the life of the program, and the one place where errors become messages and exit codes.
#pragma once

#include "brisance/core/comm.hpp"

#include "app/cli/terminal.hpp"

#include <functional>
#include <string>
#include <vector>

namespace brisance::app {

/// Exit codes, the same on every rank; docs and `brisance --help` repeat them.
enum ExitCode : int {
  kSuccess = 0,
  kDifferent = 1,  ///< `diff` found differences, `overlaps` a piece inside another
  kBadInput = 2,   ///< command line, scene or mesh make no sense; no step was taken
  kFailed = 3,     ///< a run that had begun could not go on
  kMissingProgram =
      69,         ///< a program of ours that is needed is not built (EX_UNAVAILABLE of sysexits.h); run.sh builds it
  kStopped = 75,  ///< a run was asked to stop and can be resumed (EX_TEMPFAIL of sysexits.h)
};

class Session {
public:
  /// The program's life: a session with PETSc's share of the command line that runs `work`. Its exit code, also where
  /// the libraries do not start. Collective.
  static int start_and_run(const std::vector<std::string>& petsc_options,
                           const std::function<int(const core::Comm&)>& work);

  /// Starts MPI, PETSc and SLEPc with PETSc's share of the command line. Collective; throws core::BadInput if one of
  /// them does not start.
  explicit Session(const std::vector<std::string>& petsc_options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Runs `work` on every rank and gives its exit code. An error thrown by all ranks is printed once, by rank 0; one
  /// thrown by some ranks only is printed by them and takes the others down within seconds (MPI_Abort).
  int run(const std::function<int(const core::Comm&)>& work) const;

private:
  [[nodiscard]] bool all_ranks_failed() const;
  int report(const core::Comm& comm, const std::string& text, int exit_code) const;

  PrintableOutput output_;
  MPI_Comm failures_ = MPI_COMM_NULL;  ///< ranks that failed meet here, apart from all other messages
};

}  // namespace brisance::app
