#include "brisance/dist/sparse_exchange.hpp"

#include "brisance/la/star_forest.hpp"

#include <algorithm>
#include <cstdint>

namespace brisance::dist {

std::vector<Message> sparse_exchange(const core::Comm& comm, std::map<int, std::vector<std::byte>> outgoing) {
  std::vector<Message> received;
  if (auto own = outgoing.find(comm.rank()); own != outgoing.end()) {
    received.push_back({comm.rank(), std::move(own->second)});
    outgoing.erase(own);
  }
  if (comm.size() == 1) return received;

  // Who will send me how much?
  std::vector<PetscMPIInt> targets;
  std::vector<std::int64_t> sizes;
  for (const auto& [rank, bytes] : outgoing) {
    targets.push_back(rank);
    sizes.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  PetscMPIInt num_sources = 0;
  PetscMPIInt* sources = nullptr;
  std::int64_t* source_sizes = nullptr;
  la::check(PetscCommBuildTwoSided(comm.raw(), 1, MPI_INT64_T, static_cast<PetscMPIInt>(targets.size()), targets.data(),
                                   sizes.data(), &num_sources, &sources, static_cast<void*>(&source_sizes)),
            "PetscCommBuildTwoSided");

  constexpr int kTag = 4711;
  std::vector<MPI_Request> requests;
  const std::size_t first = received.size();
  for (int i = 0; i < num_sources; ++i) received.push_back({sources[i], std::vector<std::byte>(source_sizes[i])});
  for (std::size_t i = first; i < received.size(); ++i)
    MPI_Irecv(received[i].bytes.data(), static_cast<int>(received[i].bytes.size()), MPI_BYTE, received[i].rank, kTag,
              comm.raw(), &requests.emplace_back());
  for (const auto& [rank, bytes] : outgoing)
    MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, rank, kTag, comm.raw(), &requests.emplace_back());
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  PetscFree(sources);
  PetscFree(source_sizes);
  std::sort(received.begin(), received.end(), [](const Message& a, const Message& b) { return a.rank < b.rank; });
  return received;
}

}  // namespace brisance::dist
