#include "mesh/surface/crease_chains.hpp"

namespace brisance::mesh {
namespace {

/// Kept edges at each vertex.
std::vector<std::vector<std::int32_t>> edges_at(std::span<const std::array<std::int32_t, 2>> edges,
                                                const std::vector<bool>& is_kept, std::size_t num_vertices) {
  std::vector<std::vector<std::int32_t>> at(num_vertices);
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (is_kept[e])
      for (const auto v : edges[e]) at[v].push_back(static_cast<std::int32_t>(e));
  return at;
}

/// Collects chains of edges that are in no chain yet.
class Walk {
public:
  Walk(std::span<const std::array<std::int32_t, 2>> edges, const std::vector<bool>& is_kept, std::size_t num_vertices)
      : edges_(edges), at_(edges_at(edges, is_kept, num_vertices)), is_done_(edges.size()) {}

  [[nodiscard]] bool is_done(std::size_t edge) const { return is_done_[edge]; }
  [[nodiscard]] bool is_end(std::int32_t vertex) const { return at_[vertex].size() != 2; }

  /// The chain from a vertex along an edge to the next end, or once round.
  Chain from(std::int32_t vertex, std::int32_t edge) {
    Chain chain{{vertex}, {}};
    while (true) {
      is_done_[edge] = true;
      vertex = edges_[edge][0] == vertex ? edges_[edge][1] : edges_[edge][0];
      chain.edges.push_back(edge);
      chain.vertices.push_back(vertex);
      if (is_end(vertex) || vertex == chain.vertices.front()) return chain;
      edge = at_[vertex][0] == edge ? at_[vertex][1] : at_[vertex][0];
    }
  }

private:
  std::span<const std::array<std::int32_t, 2>> edges_;
  std::vector<std::vector<std::int32_t>> at_;
  std::vector<bool> is_done_;
};

}  // namespace

std::vector<Chain> chains_of(std::span<const std::array<std::int32_t, 2>> edges, const std::vector<bool>& is_kept,
                             std::size_t num_vertices) {
  Walk walk(edges, is_kept, num_vertices);
  std::vector<Chain> chains;
  const auto take = [&](std::size_t e, std::int32_t vertex) {
    if (!walk.is_done(e)) chains.push_back(walk.from(vertex, static_cast<std::int32_t>(e)));
  };
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (const auto v : edges[e])
      if (is_kept[e] && walk.is_end(v)) take(e, v);
  for (std::size_t e = 0; e < edges.size(); ++e)  // the remaining chains are closed
    if (is_kept[e]) take(e, edges[e][0]);
  return chains;
}

}  // namespace brisance::mesh
