#include "app/cli/session.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/log.hpp"
#include "brisance/core/out_of_memory.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dynamics/vector_units.hpp"
#include "brisance/la/blas_threads.hpp"

#include "app/cli/signals.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <thread>

#include <slepcsys.h>
#include <unistd.h>

namespace brisance::app {

namespace {

/// Results do not depend on it: for comparing speeds, for proving that, and where AVX-512 slows the clock down.
void choose_vector_units() {
  const char* name = std::getenv("BRISANCE_VECTOR_UNITS");
  if (name == nullptr || *name == 0) return;
  try {
    dynamics::use_vector_units(name);
  } catch (const core::Error& e) {
    throw core::BadInput(std::string("BRISANCE_VECTOR_UNITS: ") + e.what());
  }
}

/// A process that no launcher started needs neither a daemon of Open MPI's own, which takes a third of a short
/// command's time, nor a folder for what ranks share: all such processes of a machine have the same one, and who ends
/// first takes it away from under the others.
void expect_no_launcher() {
  for (const char* sign : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(sign) != nullptr) return;
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  setenv("OMPI_MCA_sharedfp", "individual", 0);  // MPI-IO's shared file pointers, of no use here, in no such folder
}

/// What a command has said must have arrived, or it has not done its work. A reader that has left (`head`), and a
/// standard output that was closed from the start, want nothing. Collective; throws core::Error on all ranks.
void finish_output(const core::Comm& comm) {
  core::agree(comm, [] {
    std::cout.flush();
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return;
    // The reason of what failed some time ago is asked for once more, at the end of what is incomplete anyway.
    const int reason = ::write(STDOUT_FILENO, "\n", 1) < 0 ? errno : 0;
    if (reason == EPIPE || reason == EBADF) return;
    throw core::Error(std::string("standard output: ") + (reason != 0 ? std::strerror(reason) : "writing failed") +
                      ". What was said is not complete. Check the space on the disk.");
  });
}

constexpr double kPatience_s = 5;  ///< a rank that fails later than this after another is taken to be still working

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
  expect_no_launcher();
  SlepcInitialize(&count, &argv, nullptr, nullptr);
  PetscPopSignalHandler();  // a stack trace for SIGTERM helps nobody
  PetscPushErrorHandler(PetscReturnErrorHandler, nullptr);
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

int Session::report(const core::Comm& comm, const std::string& message, int exit_code) const {
  if (comm.is_root()) {
    std::fprintf(stderr, "brisance: error: %s\n", message.c_str());
    std::fflush(stderr);
  }
  if (all_ranks_failed()) return exit_code;
  if (!comm.is_root()) std::fprintf(stderr, "brisance: error: rank %d: %s\n", comm.rank(), message.c_str());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  return exit_code;
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
