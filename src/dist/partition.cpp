#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/core/signals.hpp"
#include "brisance/dist/distribute.hpp"

#include <algorithm>

#include <metis.h>

namespace brisance::dist {

namespace {

/// Nodal graph in compressed rows (nodes that share an edge), and the number of elements at each node.
struct NodalGraph {
  std::vector<idx_t> offsets, neighbours, weights;
};

NodalGraph nodal_graph(const mesh::TetMesh& mesh) {
  std::vector<std::pair<idx_t, idx_t>> edges;
  edges.reserve(mesh.tets.size() * 12);
  NodalGraph graph;
  graph.weights.assign(mesh.nodes.size(), 0);
  for (const auto& tet : mesh.tets)
    for (int i = 0; i < 4; ++i) {
      ++graph.weights[tet[i]];
      for (int j = 0; j < 4; ++j)
        if (i != j) edges.emplace_back(tet[i], tet[j]);
    }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  graph.offsets.assign(mesh.nodes.size() + 1, 0);
  for (const auto& [from, to] : edges) {
    ++graph.offsets[from + 1];
    graph.neighbours.push_back(to);
  }
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) graph.offsets[i + 1] += graph.offsets[i];
  return graph;
}

}  // namespace

std::int32_t random_owner(std::int64_t node, int parts, std::uint64_t seed) {
  return static_cast<std::int32_t>(core::hash_bits(seed, static_cast<std::uint64_t>(node), 0x0A11) %
                                   static_cast<std::uint64_t>(parts));
}

std::vector<std::int32_t> partition_nodes(const mesh::TetMesh& mesh, int parts, const DistributeOptions& options) {
  std::vector<std::int32_t> owners(mesh.nodes.size(), 0);
  if (parts == 1) return owners;
  if (options.partitioner == Partitioner::random) {
    for (std::size_t i = 0; i < owners.size(); ++i)
      owners[i] = random_owner(static_cast<std::int64_t>(i), parts, options.seed);
    return owners;
  }
  NodalGraph graph = nodal_graph(mesh);
  idx_t num_nodes = static_cast<idx_t>(mesh.nodes.size()), num_constraints = 1, num_parts = parts, cut = 0;
  idx_t settings[METIS_NOPTIONS];
  METIS_SetDefaultOptions(settings);
  settings[METIS_OPTION_SEED] = static_cast<idx_t>(options.seed);
  std::vector<idx_t> part(mesh.nodes.size());
  const core::SigtermGuard guard;
  const int status = METIS_PartGraphKway(&num_nodes, &num_constraints, graph.offsets.data(), graph.neighbours.data(),
                                         graph.weights.data(), nullptr, nullptr, &num_parts, nullptr, nullptr, settings,
                                         &cut, part.data());
  if (status != METIS_OK)
    throw core::Error("METIS could not split the mesh into " + std::to_string(parts) +
                      " parts. Use fewer ranks, or a finer mesh.");
  std::copy(part.begin(), part.end(), owners.begin());
  return owners;
}

}  // namespace brisance::dist
