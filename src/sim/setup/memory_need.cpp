#include "memory_need.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/core/words.hpp"

#include <cmath>

#include <spdlog/fmt/fmt.h>

namespace brisance::sim {

namespace {

constexpr double kBytesATet = 400;  ///< the mesh (docs/PERFORMANCE.md), and as much again for its sources
constexpr double kGibibyte = 1 << 30;

/// Number of ranks that share this rank's memory. Collective.
int ranks_on_this_machine(const core::Comm& comm) {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(comm.raw(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &machine);
  int ranks = 1;
  MPI_Comm_size(machine, &ranks);
  MPI_Comm_free(&machine);
  return ranks;
}

}  // namespace

std::string memory_complaint(std::int64_t num_tets, int ranks, int ranks_here, std::int64_t bytes_left) {
  const double all = kBytesATet * static_cast<double>(num_tets), here = all * ranks_here / ranks;
  const auto left = static_cast<double>(bytes_left);
  if (here <= left) return "";
  return fmt::format(
      "{} at least {:.3g} GiB of memory, {:.3g} GiB on a machine with {} of {}, where {:.3g} GiB "
      "are free. Use a coarser mesh, or ranks on at least {} such machines.",
      core::counted(num_tets, "tet needs", "tets need"), all / kGibibyte, here / kGibibyte, ranks_here,
      core::counted(ranks, "rank"), left / kGibibyte, std::ceil(all / std::max(left, 1.0)));
}

void require_memory(const core::Comm& comm, std::int64_t num_tets) {
  const int here = ranks_on_this_machine(comm);
  core::agree_on_input(comm, [&] {
    const std::string complaint = memory_complaint(num_tets, comm.size(), here, core::available_memory_bytes());
    if (!complaint.empty()) throw core::Error(complaint);
  });
}

}  // namespace brisance::sim
