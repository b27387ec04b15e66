/// Atoms as rigid bodies, modes on atoms, and the whole set for the runtime.
#include "brisance/modes/pieces/impact.hpp"

#include "brisance/core/error.hpp"
#include "brisance/runtime/projection.hpp"

#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::modes {

namespace {

/// A mode whose M-norm on the atoms is below this share of its own was nonzero mainly on slivers that were joined.
constexpr double kStillThere = 0.1;

Vec3 sum_of(const std::vector<Vec3>& x) { return std::accumulate(x.begin() + 1, x.end(), x[0]); }

/// ∫ x xᵀ over a simplex of n corners, exact: vol/n(n+1) (Σ xᵢ xᵢᵀ + s sᵀ), s = Σ xᵢ.
Mat3 second_moment(const std::vector<Vec3>& x, double volume) {
  const Vec3 sum = sum_of(x);
  Mat3 moment = sum * sum.transpose();
  for (const Vec3& corner : x) moment += corner * corner.transpose();
  return volume / static_cast<double>(x.size() * (x.size() + 1)) * moment;
}

runtime::SolidShape solid_shape(double volume, const Vec3& centre, const Mat3& moment_about_centre) {
  const Mat3 inertia = moment_about_centre.trace() * Mat3::Identity() - moment_about_centre;
  const SymMat3 six = symmetric_part(inertia);
  runtime::SolidShape shape;
  shape.volume = volume;
  for (int k = 0; k < 3; ++k) shape.centre[k] = centre[k];
  for (int k = 0; k < 6; ++k) shape.inertia[k] = six[k];
  return shape;
}

void require_match(const Simplices& mesh, const CellGraph& graph, const ModeSet& modes, const PieceLabels& atoms) {
  const auto cells = static_cast<std::size_t>(mesh.num_cells());
  bool match = cells > 0 && graph.volume.size() == cells && atoms.of_cell.size() == cells;
  for (const Mode& mode : modes.modes) match = match && mode.value.size() == cells * modes.components;
  if (!match)
    throw core::Error(fmt::format(
        "The modes and pieces do not belong to this mesh of {} cells. Compute them for it, with `brisance modes`.",
        cells));
}

}  // namespace

std::vector<runtime::SolidShape> atom_shapes(const Simplices& mesh, const PieceLabels& atoms) {
  const std::size_t count = atoms.num_pieces();
  std::vector<double> volume(count, 0);
  std::vector<Vec3> first(count, Vec3::Zero());
  std::vector<Mat3> second(count, Mat3::Zero());
  // Moments about a corner of the object, not a far origin: no digits are lost.
  const Vec3 origin = mesh.nodes[mesh.corner[0]];
  std::vector<Vec3> x(mesh.corners_per_cell);
  for (std::int32_t c = 0; c < mesh.num_cells(); ++c) {
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = mesh.nodes[mesh.cell(c)[k]] - origin;
    const double v = simplex_volume(x);
    const std::int32_t a = atoms.of_cell[c];
    volume[a] += v;
    first[a] += v / mesh.corners_per_cell * sum_of(x);
    second[a] += second_moment(x, v);
  }
  std::vector<runtime::SolidShape> shapes;
  for (std::size_t a = 0; a < count; ++a) {
    const Vec3 centre = first[a] / volume[a];
    shapes.push_back(solid_shape(volume[a], origin + centre, second[a] - volume[a] * centre * centre.transpose()));
  }
  return shapes;
}

std::vector<runtime::AtomFace> atom_faces(const CellGraph& graph, const PieceLabels& atoms) {
  std::map<std::pair<std::int32_t, std::int32_t>, double> area;
  for (const Face& f : graph.faces) {
    const std::int32_t a = atoms.of_cell[f.a], b = atoms.of_cell[f.b];
    if (a != b) area[std::minmax(a, b)] += f.area;
  }
  std::vector<runtime::AtomFace> faces;
  for (const auto& [pair, sum] : area) faces.push_back({pair.first, pair.second, sum});
  return faces;
}

void restrict_modes(const CellGraph& graph, const ModeSet& modes, const PieceLabels& atoms, runtime::ImpactSet& set) {
  const int components = modes.components;
  const std::size_t size = atoms.volume.size() * components;
  runtime::AtomModes means{components, std::vector<double>(modes.modes.size() * size, 0)};
  for (std::size_t i = 0; i < modes.modes.size(); ++i)
    for (std::size_t c = 0; c < graph.volume.size(); ++c) {
      const std::int32_t a = atoms.of_cell[c];
      const double share = graph.volume[c] / atoms.volume[a];
      for (int k = 0; k < components; ++k)
        means.value[i * size + a * components + k] += share * modes.modes[i].value[c * components + k];
    }
  const std::vector<int> kept = runtime::orthonormalise(means, atoms.volume, kStillThere);
  set.dimension = modes.dimension;
  set.components = components;
  set.axis_strength = modes.axis_strength;
  set.mode_value = std::move(means.value);
  set.mode_energy.clear();
  for (const int i : kept) set.mode_energy.push_back(modes.modes[i].energy);
}

namespace {

/// @param nodes  possible points of blows
runtime::ImpactSet impact_set(const Simplices& mesh, const std::vector<std::int32_t>& nodes, const CellGraph& graph,
                              const ModeSet& modes, const PieceLabels& atoms, const SmearParameters& parameters) {
  require_match(mesh, graph, modes, atoms);
  if (!(parameters.relative_length > 0) || !std::isfinite(parameters.relative_length))
    throw core::Error(
        fmt::format("The smear length {:g} must be above 0. It is a share of the object's size; 0.1 is usual.",
                    parameters.relative_length));
  const double volume = std::accumulate(atoms.volume.begin(), atoms.volume.end(), 0.0);
  const double size_m = mesh.dimension() == 2 ? std::sqrt(volume) : std::cbrt(volume);
  const double length_m = parameters.relative_length * size_m;

  runtime::ImpactSet set;
  set.atoms = atom_shapes(mesh, atoms);
  set.faces = atom_faces(graph, atoms);
  restrict_modes(graph, modes, atoms, set);
  for (const std::int32_t n : nodes) set.vertices.push_back({mesh.nodes[n].x(), mesh.nodes[n].y(), mesh.nodes[n].z()});
  if (parameters.elastic) set.elastic = elastic_smear(mesh, atoms, nodes, length_m);
  if (parameters.gaussian) set.gaussian = gaussian_smear(mesh, atoms, nodes, length_m);
  return set;
}

}  // namespace

runtime::ImpactSet impact_set(const mesh::TetMesh& mesh, const CellGraph& graph, const ModeSet& modes,
                              const PieceLabels& atoms, const SmearParameters& parameters) {
  const Simplices cells = simplices(mesh);
  require_match(cells, graph, modes, atoms);
  return impact_set(cells, strikable_nodes(mesh, atoms), graph, modes, atoms, parameters);
}

runtime::ImpactSet impact_set(const mesh::PlaneMesh& plane, const CellGraph& graph, const ModeSet& modes,
                              const PieceLabels& atoms, const SmearParameters& parameters) {
  std::vector<std::int32_t> all_nodes(plane.surface.vertices.size());
  std::iota(all_nodes.begin(), all_nodes.end(), 0);
  return impact_set(simplices(plane), all_nodes, graph, modes, atoms, parameters);
}

}  // namespace brisance::modes
