#include "modes/search/body_part.hpp"

#include <utility>

namespace brisance::modes {

BodyPart body_part(const Body& body, const std::vector<std::int32_t>& part_of, std::int32_t part,
                   std::span<const SymMat3> conductivity) {
  BodyPart p;
  p.mesh.corners_per_cell = body.mesh.corners_per_cell;
  std::vector<double> face_weight;
  std::vector<std::int32_t> no_break;
  std::vector<std::int32_t> node_number(body.mesh.nodes.size(), -1), cell_number(part_of.size(), -1);
  for (std::int32_t c = 0; c < body.graph.num_cells(); ++c) {
    if (part_of[c] != part) continue;
    cell_number[c] = static_cast<std::int32_t>(p.cells.size());
    p.cells.push_back(c);
    p.cell_graph.volume.push_back(body.graph.volume[c]);
    if (!conductivity.empty()) p.conductivity.push_back(conductivity[c]);
    if (!body.no_break.empty()) no_break.push_back(body.no_break[c]);
    for (const std::int32_t corner : body.mesh.cell(c)) {
      if (node_number[corner] < 0) {
        node_number[corner] = static_cast<std::int32_t>(p.mesh.nodes.size());
        p.mesh.nodes.push_back(body.mesh.nodes[corner]);
      }
      p.mesh.corner.push_back(node_number[corner]);
    }
  }
  for (std::size_t f = 0; f < body.graph.faces.size(); ++f) {
    const Face& face = body.graph.faces[f];
    if (part_of[face.a] != part) continue;
    p.cell_graph.faces.push_back({cell_number[face.a], cell_number[face.b], face.area});
    face_weight.push_back(body.face_weight[f]);
  }
  p.merged = merge_cells(p.cell_graph, face_weight, unbreakable_sets(p.cell_graph, no_break));
  return p;
}

Mode on_body(const BodyPart& part, Mode mode, std::size_t num_cells) {
  const std::vector<double> of_cells = part.merged.on_cells(mode.value);
  mode.value.assign(num_cells, 0.0);
  for (std::size_t k = 0; k < part.cells.size(); ++k) mode.value[part.cells[k]] = of_cells[k];
  return mode;
}

Mode on_part(const BodyPart& part, const Mode& mode) {
  std::vector<double> of_cells;
  for (const std::int32_t c : part.cells) of_cells.push_back(mode.value[c]);
  Mode result = mode;
  result.value = part.merged.means(part.cell_graph, of_cells);
  return result;
}

}  // namespace brisance::modes
