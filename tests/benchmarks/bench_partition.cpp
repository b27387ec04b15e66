// A mesh on many ranks, analysed without them: it is divided into 16 … 4096 parts as a run would divide it, and a table
// gives elements, ghosts and messages of the busiest part in an explicit step, and the predicted speed-up. Usage:
// bench_partition MESH [PART_COUNT…]
#include "brisance/core/error.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/sim/setup/mesh_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

namespace brisance {
namespace {

// Assumptions of the prediction: an explicit step of one core (docs/PERFORMANCE.md), and a network.
constexpr double kTetsASecond = 115e6, kLatency_s = 2e-6, kBytesASecond = 1e10;
// Sequential operations in a round of cracks (fracture/rounds.cpp), counted in a run on two ranks: messages between
// neighbours, and collectives, which take a latency for each doubling of the ranks.
constexpr int kMessagesARound = 13, kCollectivesARound = 9;

struct Part {
  std::int64_t owned_nodes = 0, held_tets = 0, ghosts = 0, sent = 0;
  std::set<std::int32_t> neighbours;
};

/// Rule of the distributed mesh: a part holds every tet that has a node it owns.
std::vector<Part> parts_of(const mesh::TetMesh& mesh, const std::vector<std::int32_t>& owner, int num_parts) {
  std::vector<Part> parts(static_cast<std::size_t>(num_parts));
  std::vector<std::vector<std::int32_t>> holders(mesh.nodes.size());  // other than the owner
  for (const std::int32_t part : owner) ++parts[part].owned_nodes;
  for (const auto& tet : mesh.tets) {
    std::vector<std::int32_t> owners;
    for (const std::int32_t n : tet) owners.push_back(owner[n]);
    std::ranges::sort(owners);
    owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
    for (const std::int32_t part : owners) {
      ++parts[part].held_tets;
      for (const std::int32_t n : tet)
        if (owner[n] != part && std::ranges::find(holders[n], part) == holders[n].end()) holders[n].push_back(part);
    }
  }
  for (std::size_t n = 0; n < holders.size(); ++n)
    for (const std::int32_t part : holders[n]) {
      ++parts[part].ghosts;
      ++parts[owner[n]].sent;
      parts[part].neighbours.insert(owner[n]);
      parts[owner[n]].neighbours.insert(part);
    }
  return parts;
}

void print_row(const mesh::TetMesh& mesh, int num_parts) {
  const auto parts = parts_of(mesh, dist::partition_nodes(mesh, num_parts, {}), num_parts);
  const double tets = static_cast<double>(mesh.tets.size()), share = tets / num_parts;
  double held = 0, most_held = 0, bytes = 0, neighbours = 0, slowest_s = 0;
  std::size_t most_neighbours = 0;
  for (const Part& part : parts) {
    const auto mine = static_cast<double>(part.held_tets);
    const double exchanged = static_cast<double>(std::max(part.sent, part.ghosts)) * sizeof(dist::NodeMotion);
    held += mine;
    most_held = std::max(most_held, mine);
    bytes = std::max(bytes, exchanged);
    neighbours += static_cast<double>(part.neighbours.size());
    most_neighbours = std::max(most_neighbours, part.neighbours.size());
    slowest_s = std::max(slowest_s, mine / kTetsASecond + exchanged / kBytesASecond +
                                        static_cast<double>(part.neighbours.size()) * kLatency_s);
  }
  const double round_s = kLatency_s * (kMessagesARound + kCollectivesARound * std::ceil(std::log2(num_parts)));
  std::printf("| %d | %.0f | %.2f | %.2f | %.0f | %.1f, %zu | %.0f %% | %.0f %% | %.0f |\n", num_parts, share,
              held / tets, most_held / share, 1e-3 * bytes, neighbours / num_parts, most_neighbours,
              100 * share / most_held, 100 * share / kTetsASecond / slowest_s, 1e6 * round_s);
  std::fflush(stdout);
}

}  // namespace
}  // namespace brisance

int main(int argc, char** argv) {
  using namespace brisance;
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_partition MESH [PART_COUNT...]\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  int code = 0;
  try {
    const mesh::TetMesh mesh = sim::read_tets(argv[1]);
    std::vector<int> counts{16, 64, 256, 1024, 4096};
    if (argc > 2) counts.clear();
    for (int i = 2; i < argc; ++i) counts.push_back(std::atoi(argv[i]));
    std::printf("%zu tets, %zu nodes\n", mesh.tets.size(), mesh.nodes.size());
    std::printf(
        "| parts | tets a part | held/tets | busiest/share | kB a step | neighbours, most | computing | with network "
        "| round [us] |\n");
    std::printf("|---|---|---|---|---|---|---|---|---|\n");
    for (const int count : counts)
      if (count > 0) print_row(mesh, count);
  } catch (const core::Error& e) {
    std::fprintf(stderr, "bench_partition: %s\n", e.what());
    code = 1;
  }
  MPI_Finalize();
  return code;
}
