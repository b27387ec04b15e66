/// Initialises MPI, PETSc and SLEPc for the program's lifetime, and turns errors into messages and exit codes.
#pragma once

#include "brisance/core/comm.hpp"

#include "app/cli/terminal.hpp"

#include <functional>
#include <string>
#include <vector>

namespace brisance::app {

/// Exit codes, the same on every rank; also listed in docs and `brisance --help`.
enum ExitCode : int {
  kSuccess = 0,
  kDifferent = 1,        ///< `diff` found differences, `overlaps` a piece inside another
  kBadInput = 2,         ///< command line, scene or mesh are invalid; no step was taken
  kFailed = 3,           ///< a run had begun and could not continue
  kMissingProgram = 69,  ///< a required program of ours is not built (EX_UNAVAILABLE of sysexits.h); run.sh builds it
  kStopped = 75,         ///< a run was stopped on request and can be resumed (EX_TEMPFAIL of sysexits.h)
};

class Session {
public:
  /// Starts a session with PETSc's share of the command line and runs `work`. Returns the exit code, also where the
  /// libraries do not start. Collective.
  static int start_and_run(const std::vector<std::string>& petsc_options,
                           const std::function<int(const core::Comm&)>& work);

  /// Starts MPI, PETSc and SLEPc with PETSc's share of the command line. Collective; throws core::BadInput if one of
  /// them does not start.
  explicit Session(const std::vector<std::string>& petsc_options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Runs `work` on every rank and returns its exit code. An error thrown by all ranks is printed once, by rank 0; one
  /// thrown by some ranks only is printed by them, and the others are aborted within seconds (MPI_Abort).
  int run(const std::function<int(const core::Comm&)>& work) const;

private:
  [[nodiscard]] bool all_ranks_failed() const;
  int report(const core::Comm& comm, const std::string& text, int exit_code) const;

  PrintableOutput output_;
  MPI_Comm failures_ = MPI_COMM_NULL;  ///< collects ranks that failed, separately from all other messages
};

}  // namespace brisance::app
