#include "brisance/mesh/tets/ordering.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/cuthill_mckee_ordering.hpp>

namespace brisance::mesh {
namespace {

using Graph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::undirectedS,
    boost::property<boost::vertex_color_t, boost::default_color_type, boost::property<boost::vertex_degree_t, int>>>;

Graph edge_graph(const TetMesh& mesh) {
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  edges.reserve(6 * mesh.tets.size());
  for (const auto& tet : mesh.tets)
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) edges.push_back(std::minmax({tet[i], tet[j]}));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return {edges.begin(), edges.end(), mesh.nodes.size()};
}

/// order[new] = old
std::vector<std::size_t> node_order(const TetMesh& mesh) {
  Graph graph = edge_graph(mesh);
  std::vector<std::size_t> order(mesh.nodes.size());
  boost::cuthill_mckee_ordering(graph, order.rbegin(), boost::get(boost::vertex_color, graph),
                                boost::make_degree_map(graph));
  std::stable_partition(order.begin(), order.end(), [&](std::size_t n) { return boost::out_degree(n, graph) > 0; });
  return order;
}

std::vector<std::size_t> tet_order(const TetMesh& mesh) {
  auto sorted = [&](std::size_t e) {
    auto corners = mesh.tets[e];
    std::sort(corners.begin(), corners.end());
    return corners;
  };
  std::vector<std::size_t> order(mesh.tets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sorted(a) < sorted(b); });
  return order;
}

/// values[new] = values[old]; an empty array (a default) stays empty.
template <class T>
void permute(std::vector<T>& values, const std::vector<std::size_t>& order) {
  if (values.empty()) return;
  std::vector<T> moved;
  moved.reserve(values.size());
  for (const std::size_t old : order) moved.push_back(values[old]);
  values = std::move(moved);
}

}  // namespace

void order_for_locality(TetMesh& mesh) {
  if (mesh.tets.empty()) return;
  const auto nodes = node_order(mesh);
  std::vector<std::int32_t> new_index(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) new_index[nodes[i]] = static_cast<std::int32_t>(i);
  permute(mesh.nodes, nodes);
  permute(mesh.displacement, nodes);
  permute(mesh.velocity, nodes);
  for (auto& tet : mesh.tets)
    for (auto& corner : tet) corner = new_index[corner];

  const auto tets = tet_order(mesh);
  permute(mesh.tets, tets);
  permute(mesh.face_source, tets);
  permute(mesh.region, tets);
  permute(mesh.group, tets);
  permute(mesh.strength, tets);
  permute(mesh.stiffness, tets);
  for (ScalarField& field : mesh.scalars) permute(field.values, field.on_nodes ? nodes : tets);
}

}  // namespace brisance::mesh
