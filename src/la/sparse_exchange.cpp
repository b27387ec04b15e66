#include "brisance/la/sparse_exchange.hpp"

#include "brisance/la/star_forest.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace brisance::la {

namespace {

constexpr int kTag = 4711;
constexpr std::size_t kChunk = std::size_t{1} << 30;  ///< MPI counts are ints: larger messages travel in pieces

template <class Visit>
void for_each_chunk(std::vector<std::byte>& bytes, const Visit& visit) {
  for (std::size_t at = 0; at < bytes.size(); at += kChunk)
    visit(std::span(bytes).subspan(at, std::min(kChunk, bytes.size() - at)));
}

}  // namespace

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
  check(PetscCommBuildTwoSided(comm.raw(), 1, MPI_INT64_T, static_cast<PetscMPIInt>(targets.size()), targets.data(),
                               sizes.data(), &num_sources, &sources, static_cast<void*>(&source_sizes)),
        "PetscCommBuildTwoSided");

  std::vector<MPI_Request> requests;
  const std::size_t first = received.size();
  for (int i = 0; i < num_sources; ++i) received.push_back({sources[i], std::vector<std::byte>(source_sizes[i])});
  for (std::size_t i = first; i < received.size(); ++i)
    for_each_chunk(received[i].bytes, [&](std::span<std::byte> chunk) {
      MPI_Irecv(chunk.data(), static_cast<int>(chunk.size()), MPI_BYTE, received[i].rank, kTag, comm.raw(),
                &requests.emplace_back());
    });
  for (auto& [rank, bytes] : outgoing)
    for_each_chunk(bytes, [&, to = rank](std::span<std::byte> chunk) {
      MPI_Isend(chunk.data(), static_cast<int>(chunk.size()), MPI_BYTE, to, kTag, comm.raw(), &requests.emplace_back());
    });
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  PetscFree(sources);
  PetscFree(source_sizes);
  std::sort(received.begin(), received.end(), [](const Message& a, const Message& b) { return a.rank < b.rank; });
  return received;
}

}  // namespace brisance::la
