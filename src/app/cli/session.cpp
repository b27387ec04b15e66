#include "app/cli/session.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/log.hpp"
#include "brisance/core/out_of_memory.hpp"
#include "brisance/core/printable.hpp"
#include "brisance/core/signals.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dynamics/vector_units.hpp"
#include "brisance/io/marked_run.hpp"
#include "brisance/la/blas_threads.hpp"

#include "app/cli/launcher.hpp"
#include "app/cli/signals.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <thread>

#include <slepcsys.h>
#include <unistd.h>

namespace brisance::app {

namespace {

/// Chooses the SIMD width. Results do not depend on it: for comparisons of speed, for tests, and where AVX-512 lowers
/// the clock rate.
void choose_vector_units() {
  const char* name = std::getenv("BRISANCE_VECTOR_UNITS");
  if (name == nullptr || *name == 0) return;
  try {
    dynamics::use_vector_units(name);
  } catch (const core::Error& e) {
    throw core::BadInput(std::string("BRISANCE_VECTOR_UNITS: ") + e.what());
  }
}

/// A process without a launcher needs neither a daemon of Open MPI, which takes a third of a short command's time, nor
/// the session folder that ranks share: all such processes of a machine share one, and the first to end removes it from
/// the others. One task of a SLURM step is such a process as well, where Open MPI would search for a launcher that does
/// not exist.
void expect_no_launcher() {
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  setenv("OMPI_MCA_sharedfp", "individual", 0);  // MPI-IO's shared file pointers, not used here, would need that folder
  unsetenv("SLURM_STEP_ID");
}

/// HDF5 locks each file that it opens and fails where the file system has no locks. Our files have no readers before
/// they have their final names, and a run's folder has a lock of its own. HDF5 reads this when it starts.
void do_without_file_locks() { setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0); }

/// Keeps the first message of an error instead of PETSc's print with a trace.
PetscErrorCode keep_first_message(MPI_Comm, int, const char*, const char*, PetscErrorCode code, PetscErrorType type,
                                  const char* message, void* text) {
  if (type == PETSC_ERROR_INITIAL && message != nullptr) *static_cast<std::string*>(text) = message;
  return code;
}

/// Text with the places where PETSc reads options, and which of them exist.
std::string why_no_start(const std::string& reason) {
  std::error_code gone;
  static_cast<void>(std::filesystem::current_path(gone));
  if (gone) return "the working folder is gone (" + gone.message() + "). Change into one that is there.";
  const char* in_environment = std::getenv("PETSC_OPTIONS");
  return "PETSc does not start: " + reason + ". Check .petscrc here and at home" +
         (in_environment != nullptr ? ", and PETSC_OPTIONS in the environment" : "") + ".";
}

/// Starts MPI, PETSc and SLEPc. Throws core::BadInput. Collective.
void start_petsc(int count, char** argv) {
  std::string reason = "an error without a message";
  PetscPushErrorHandler(keep_first_message, &reason);
  if (SlepcInitialize(&count, &argv, nullptr, nullptr) != 0) throw core::BadInput(why_no_start(reason));
  PetscPopSignalHandler();  // no stack trace for SIGTERM
  PetscPopErrorHandler();
  PetscPushErrorHandler(PetscReturnErrorHandler, nullptr);
}

/// Checks that all output of a command was written, else the command has failed. A closed reader (`head`), or a
/// standard output that was closed from the start, is no error. Collective; throws core::Error on all ranks.
void finish_output(const core::Comm& comm) {
  core::agree(comm, [] {
    std::cout.flush();
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return;
    // An earlier failure's reason is obtained by writing once more, to output that is incomplete anyway.
    const int reason = ::write(STDOUT_FILENO, "\n", 1) < 0 ? errno : 0;
    if (reason == EPIPE || reason == EBADF) return;
    throw core::Error(std::string("standard output: ") + (reason != 0 ? std::strerror(reason) : "writing failed") +
                      ". What was said is not complete. Check the space on the disk.");
  });
}

constexpr double kPatience_s = 5;  ///< a rank that fails this much later than another counts as still working

}  // namespace

Session::Session(const std::vector<std::string>& petsc_options) {
  std::vector<std::string> words{"brisance"};
  words.insert(words.end(), petsc_options.begin(), petsc_options.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int count = static_cast<int>(words.size());
  char** argv = pointers.data();
  if (!has_launcher()) {
    require_ranks_to_know_each_other();
    expect_no_launcher();
  }
  do_without_file_locks();
  {
    const core::SignalsBlocked in_threads_of_mpi(SIGTERM);  // core::SigtermGuard relies on that
    keeping_ignored_hangup([&] { start_petsc(count, argv); });
  }
  la::use_one_blas_thread();
  MPI_Comm_dup(MPI_COMM_WORLD, &failures_);
  ignore_file_size_signal();
  core::start_log(core::Comm());
}

Session::~Session() {
  MPI_Comm_free(&failures_);
  SlepcFinalize();
}

int Session::run(const std::function<int(const core::Comm&)>& work) const {
  const core::Comm comm;
  try {
    choose_vector_units();
    const int code = work(comm);
    finish_output(comm);
    return code;
  } catch (const core::BadInput& e) {
    return report(comm, e.what(), kBadInput);
  } catch (const core::MissingProgram& e) {
    return report(comm, e.what(), kMissingProgram);
  } catch (const core::Stopped& e) {
    return report(comm, e.what(), kStopped);
  } catch (const core::Error& e) {
    return report(comm, e.what(), kFailed);
  } catch (const std::exception& e) {
    return report(comm, core::text_for_user(e), kFailed);
  }
}

int Session::report(const core::Comm& comm, const std::string& text, int exit_code) const {
  const std::string message = core::printable(text);
  if (comm.is_root()) {
    std::fprintf(stderr, "brisance: error: %s\n", message.c_str());
    std::fflush(stderr);
  }
  if (all_ranks_failed()) return exit_code;
  if (!comm.is_root()) std::fprintf(stderr, "brisance: error: rank %d: %s\n", comm.rank(), message.c_str());
  std::fflush(stderr);
  io::mark_left_run(message);
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  return exit_code;
}

int Session::start_and_run(const std::vector<std::string>& petsc_options,
                           const std::function<int(const core::Comm&)>& work) {
  try {
    return Session(petsc_options).run(work);
  } catch (const core::BadInput& e) {
    std::fprintf(stderr, "brisance: error: %s\n", e.what());
    std::fflush(stderr);
  }
  int is_up = 0, num_ranks = 1;
  MPI_Initialized(&is_up);
  if (is_up) MPI_Comm_size(MPI_COMM_WORLD, &num_ranks);
  if (num_ranks > 1) MPI_Abort(MPI_COMM_WORLD, kBadInput);  // other ranks may have started
  if (is_up) MPI_Finalize();
  return kBadInput;
}

bool Session::all_ranks_failed() const {
  MPI_Request request;
  MPI_Ibarrier(failures_, &request);
  const double start_s = core::wall_seconds();
  int done = 0;
  while (!done && core::wall_seconds() - start_s < kPatience_s) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return done != 0;
}

}  // namespace brisance::app
