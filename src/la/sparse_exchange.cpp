#include "brisance/la/sparse_exchange.hpp"

#include "brisance/core/error.hpp"
#include "brisance/la/star_forest.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace brisance::la {

namespace {

constexpr int kTag = 4711, kNeighbourTag = 4712;
constexpr std::size_t kChunk = std::size_t{1} << 30;  ///< MPI counts are ints: larger messages are sent in chunks

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

  // Learn which ranks will send how much.
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

std::vector<Message> neighbour_exchange(const core::Comm& comm, std::span<const int> neighbours,
                                        std::map<int, std::vector<std::byte>> outgoing) {
  std::vector<Message> received;
  if (auto own = outgoing.find(comm.rank()); own != outgoing.end()) {
    received.push_back({comm.rank(), std::move(own->second)});
    outgoing.erase(own);
  }
  for (const auto& [rank, bytes] : outgoing)
    if (std::ranges::find(neighbours, rank) == neighbours.end() || bytes.size() > kChunk)
      throw core::Error(
          fmt::format("A message of {} bytes to rank {} that this rank cannot send (a fault of the "
                      "program, please report).",
                      bytes.size(), rank));
  std::vector<MPI_Request> requests(neighbours.size());
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const std::vector<std::byte>& bytes = outgoing[neighbours[i]];
    MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, neighbours[i], kNeighbourTag, comm.raw(),
              &requests[i]);
  }
  for (const int rank : neighbours) {
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Mprobe(rank, kNeighbourTag, comm.raw(), &message, &status);
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    MPI_Mrecv(bytes.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    if (size > 0) received.push_back({rank, std::move(bytes)});
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  std::sort(received.begin(), received.end(), [](const Message& a, const Message& b) { return a.rank < b.rank; });
  return received;
}

}  // namespace brisance::la
