#include "brisance/modes/find_modes.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <ctime>
#include <string>
#include <utility>

namespace brisance::modes {

namespace {

/// A connected part as a body of its own.
struct Part {
  std::vector<std::int32_t> cells;  ///< of the whole, ascending
  mesh::TetMesh mesh;               ///< nodes and tets only
  CellGraph graph;
  std::vector<double> face_weight;
};

std::int32_t num_parts(const std::vector<std::int32_t>& part) {
  return part.empty() ? 0 : 1 + *std::max_element(part.begin(), part.end());
}

Part extract(const mesh::TetMesh& mesh, const CellGraph& graph, std::span<const double> face_weight,
             const std::vector<std::int32_t>& part_of, std::int32_t part) {
  Part p;
  std::vector<std::int32_t> node_number(mesh.nodes.size(), -1), cell_number(part_of.size(), -1);
  for (std::int32_t c = 0; c < graph.num_cells(); ++c) {
    if (part_of[c] != part) continue;
    cell_number[c] = static_cast<std::int32_t>(p.cells.size());
    p.cells.push_back(c);
    p.graph.volume.push_back(graph.volume[c]);
    auto tet = mesh.tets[c];
    for (std::int32_t& corner : tet) {
      if (node_number[corner] < 0) {
        node_number[corner] = static_cast<std::int32_t>(p.mesh.nodes.size());
        p.mesh.nodes.push_back(mesh.nodes[corner]);
      }
      corner = node_number[corner];
    }
    p.mesh.tets.push_back(tet);
  }
  for (std::size_t f = 0; f < graph.faces.size(); ++f) {
    const Face& face = graph.faces[f];
    if (part_of[face.a] != part) continue;
    p.graph.faces.push_back({cell_number[face.a], cell_number[face.b], face.area});
    p.face_weight.push_back(face_weight[f]);
  }
  return p;
}

/// A mode of a part as a mode of the whole, and back.
Mode spread(const Part& part, Mode mode, std::size_t num_cells) {
  std::vector<double> value(num_cells, 0.0);
  for (std::size_t k = 0; k < part.cells.size(); ++k) value[part.cells[k]] = mode.value[k];
  mode.value = std::move(value);
  return mode;
}

Mode restricted(const Part& part, const Mode& mode) {
  Mode result;
  for (const std::int32_t c : part.cells) result.value.push_back(mode.value[c]);
  return result;
}

/// The modes of one part beyond those known; false if stopped.
bool find_rest(const Part& part, std::int32_t number, std::int32_t count, const FindModesSettings& settings,
               ModeSet& modes, const AfterMode& after_mode) {
  ScalarModeSearch search(part.graph, part.face_weight, settings.search);
  std::int32_t found = 0;  // the constant one included
  for (const Mode& mode : modes.modes)
    if (mode.part == number && found++ > 0) search.add_known(restricted(part, mode));
  if (found >= count) return true;
  const auto start = start_vectors(part.mesh, count, settings.start);
  for (; found < count; ++found) {
    const std::clock_t begin = std::clock();
    Mode mode = spread(part, search.next(start[found]), modes.modes.front().value.size());
    mode.part = number;
    modes.modes.push_back(std::move(mode));
    if (!after_mode(modes, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::int32_t> modes_of_parts(const mesh::TetMesh& mesh, const CellGraph& graph, std::int32_t count) {
  const std::vector<std::int32_t> part_of = connected_parts(graph);
  std::vector<std::int32_t> allowed(num_parts(part_of), 0), num_nodes(allowed.size(), 0);
  std::vector<std::pair<std::int32_t, std::int32_t>> part_nodes;  // parts may meet in nodes
  for (std::int32_t c = 0; c < graph.num_cells(); ++c) {
    ++allowed[part_of[c]];
    for (const std::int32_t corner : mesh.tets[c]) part_nodes.emplace_back(part_of[c], corner);
  }
  std::sort(part_nodes.begin(), part_nodes.end());
  part_nodes.erase(std::unique(part_nodes.begin(), part_nodes.end()), part_nodes.end());
  for (const auto& [part, node] : part_nodes) ++num_nodes[part];
  std::int32_t most = 0;
  for (std::size_t p = 0; p < allowed.size(); ++p) {
    allowed[p] = std::min(allowed[p], num_nodes[p]);
    most = std::max(most, allowed[p]);
  }
  if (count > most)
    throw core::Error(std::to_string(count) + " scalar modes are more than this mesh allows (" + std::to_string(most) +
                      ", one a node and tet of its largest connected part). Ask for fewer, or use a finer mesh.");
  for (std::int32_t& a : allowed) a = std::min(a, count);
  return allowed;
}

bool find_modes(const mesh::TetMesh& mesh, const CellGraph& graph, std::span<const double> face_weight,
                const FindModesSettings& settings, ModeSet& modes, const AfterMode& after_mode) {
  const std::vector<std::int32_t> part_of = connected_parts(graph);
  const std::vector<std::int32_t> counts = modes_of_parts(mesh, graph, settings.count);
  const auto parts = static_cast<std::int32_t>(counts.size());
  std::vector<Part> bodies;
  for (std::int32_t p = 0; p < parts; ++p) bodies.push_back(extract(mesh, graph, face_weight, part_of, p));
  for (auto p = static_cast<std::int32_t>(modes.modes.size()); p < parts; ++p) {
    modes.modes.push_back(spread(bodies[p], constant_mode(bodies[p].graph), part_of.size()));
    modes.modes.back().part = p;
  }
  for (std::int32_t p = 0; p < parts; ++p)
    if (!find_rest(bodies[p], p, counts[p], settings, modes, after_mode)) return false;
  return true;
}

}  // namespace brisance::modes
