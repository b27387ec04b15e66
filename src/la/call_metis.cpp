#include "brisance/la/call_metis.hpp"

#include <csignal>

#include <metis.h>

namespace brisance::la {

namespace {

constexpr int kMostCalls = 5;  ///< mpirun and SLURM send SIGTERM a few times at most

}  // namespace

int call_metis(const std::function<int()>& call) {
  int status = call();
  const bool was_stopped = status == METIS_ERROR;
  for (int i = 1; i < kMostCalls && status == METIS_ERROR; ++i) status = call();
  if (was_stopped && status == METIS_OK) std::raise(SIGTERM);
  return status;
}

}  // namespace brisance::la
