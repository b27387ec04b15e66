#include "brisance/breaking/plate.hpp"

#include "brisance/core/error.hpp"

#include <cmath>
#include <map>
#include <utility>

namespace brisance::breaking {

namespace {

constexpr int kTetsOfATriangle = 3;  ///< as made by mesh::extruded

template <class Value>
std::vector<Value> of_tets(const std::vector<Value>& of_triangles, int width = 1) {
  std::vector<Value> result;
  for (std::size_t i = 0; i < of_triangles.size(); i += width)
    for (int copy = 0; copy < kTetsOfATriangle; ++copy)
      result.insert(result.end(), of_triangles.begin() + static_cast<std::ptrdiff_t>(i),
                    of_triangles.begin() + static_cast<std::ptrdiff_t>(i) + width);
  return result;
}

/// Converts a vector mode of the plane, with zero displacement along z.
std::vector<double> in_space(const std::vector<double>& planar) {
  std::vector<double> result;
  for (std::size_t i = 0; i < planar.size(); i += 2) result.insert(result.end(), {planar[i], planar[i + 1], 0.0});
  return result;
}

/// u/√T on the tets: Σ volume u² stays 1, and Σ weight |jump| is multiplied by √T.
modes::Mode mode_of_plate(const modes::Mode& flat, int components, double thickness_m) {
  modes::Mode mode;
  mode.value = of_tets(components == 2 ? in_space(flat.value) : flat.value, components == 2 ? 3 : 1);
  for (double& value : mode.value) value /= std::sqrt(thickness_m);
  mode.energy = std::sqrt(thickness_m) * flat.energy;
  mode.relative_gap = flat.relative_gap;
  mode.part = flat.part;
  mode.settled = flat.settled;
  return mode;
}

/// η of each face of the plate: that of the edge below it.
std::vector<double> strength_of_plate(const ModeFile& flat, const modes::CellGraph& plate) {
  const modes::CellGraph graph = body_of(flat).graph;
  const std::vector<double> unit = modes::face_weights(graph, flat.modes.weighting);
  std::map<std::pair<std::int32_t, std::int32_t>, double> eta_between;
  for (std::size_t f = 0; f < graph.faces.size(); ++f)
    eta_between[{graph.faces[f].a, graph.faces[f].b}] = flat.face_weight[f] / unit[f];
  std::vector<double> eta;
  for (const modes::Face& face : plate.faces) {
    const auto edge = eta_between.find({face.a / kTetsOfATriangle, face.b / kTetsOfATriangle});
    eta.push_back(edge == eta_between.end() ? 1 : edge->second);
  }
  return eta;
}

}  // namespace

ModeFile plate_of(const ModeFile& flat, double thickness_m) {
  if (flat.modes.dimension != 2)
    throw core::BadInput("These are modes of a solid, which has its thickness already: leave out --thickness.");
  ModeFile plate = flat;
  plate.plane = {};
  plate.mesh = mesh::extruded(flat.plane, thickness_m);
  plate.modes.dimension = 3;
  if (flat.modes.components == 2) plate.modes.components = 3;
  plate.modes.modes.clear();
  for (const modes::Mode& mode : flat.modes.modes)
    plate.modes.modes.push_back(mode_of_plate(mode, flat.modes.components, thickness_m));
  const modes::CellGraph graph = modes::cell_graph(plate.mesh);
  plate.face_weight = modes::face_weights(graph, flat.modes.weighting, strength_of_plate(flat, graph));
  plate.no_break = of_tets(flat.no_break);
  return plate;
}

modes::PieceLabels plate_of(const modes::PieceLabels& flat, double thickness_m) {
  modes::PieceLabels plate{of_tets(flat.of_cell), flat.volume};
  for (double& volume : plate.volume) volume *= thickness_m;
  return plate;
}

}  // namespace brisance::breaking
