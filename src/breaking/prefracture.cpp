/// Makes pieces from modes and a mesh, and the contents of their file.
#include "brisance/breaking/prefracture.hpp"

#include "brisance/breaking/plate.hpp"
#include "brisance/core/error.hpp"
#include "brisance/mesh/generate/grown_mesh.hpp"
#include "brisance/mesh/tets/intersect.hpp"
#include "brisance/mesh/tets/join_small_pieces.hpp"
#include "brisance/modes/pieces/flat_pieces.hpp"
#include "brisance/modes/pieces/pieces.hpp"
#include "brisance/modes/pieces/pieces_surface.hpp"
#include "brisance/modes/pieces/smooth.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

namespace {

constexpr double kMeshTolerance = 1e-9, kExactTolerance = 1e-6;

void require_volume(const io::PiecesFile& made, double tolerance) {
  double sum = 0;
  for (const auto& piece : made.pieces) sum += made.size(piece);
  if (std::abs(sum - made.size()) > tolerance * made.size())
    throw core::Error(
        fmt::format("The pieces' {0}s add up to {1:.12g} {3}, not to the object's {2:.12g} {3}. Is its surface closed, "
                    "and are its elements of positive {0}?",
                    made.is_flat() ? "area" : "volume", sum, made.size(), made.is_flat() ? "m²" : "m³"));
}

double input_area(const mesh::Surface& surface) {
  double sum = 0;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const auto& [a, b, c] = surface.triangles[t];
    const auto& x = surface.vertices;
    if (surface.source_face[t] != mesh::kNoSourceTriangle) sum += (x[b] - x[a]).cross(x[c] - x[a]).norm() / 2;
  }
  return sum;
}

bool has_patches(const mesh::Surface& body) {
  return std::ranges::find(body.source_face, mesh::kNoSourceTriangle) != body.source_face.end();
}

/// Patches of a body may stick out of its cage, its other triangles may not.
void require_outside(const std::vector<mesh::PieceSurface>& pieces, const mesh::Surface& body) {
  double sum = 0;
  for (const auto& piece : pieces) sum += input_area(piece.surface);
  const double wanted = input_area(body);
  if (std::abs(sum - wanted) > kExactTolerance * wanted)
    throw core::Error(
        fmt::format("Only {:.6g} of the surface's {:.6g} m² are in the pieces: it sticks out of its cage. Compute the "
                    "modes on a cage that contains it: brisance modes BODY --set cage=true.",
                    sum, wanted));
}

/// Volume of the body, or, if it has patches, of its part inside the cage.
double volume_to_share_out(const mesh::Surface& body, const mesh::TetMesh& cage) {
  if (!has_patches(body)) return mesh::enclosed_volume_m3(body);
  const std::vector<std::int32_t> whole(cage.tets.size(), 0);
  double sum = 0;
  for (const auto& solid : mesh::intersect(modes::piece_surfaces(cage, whole, 1).front(), body))
    sum += mesh::enclosed_volume_m3(solid.surface);
  return sum;
}

/// For each part, the label with the largest volume in it.
std::vector<std::int32_t> labels_of_parts(const modes::CellGraph& graph, const modes::PieceLabels& parts,
                                          const std::vector<std::int32_t>& label) {
  std::vector<std::map<std::int32_t, double>> shares(parts.volume.size());
  for (std::int32_t c = 0; c < graph.num_cells(); ++c) shares[parts.of_cell[c]][label[c]] += graph.volume[c];
  std::vector<std::int32_t> largest;
  for (const auto& share : shares)
    largest.push_back(std::ranges::max_element(share, {}, [](const auto& entry) { return entry.second; })->first);
  return largest;
}

/// Replaces numbers of parts by labels, on the pieces and across their cracks.
void rename_parts(std::vector<mesh::PieceSurface>& pieces, const std::vector<std::int32_t>& label) {
  for (auto& piece : pieces) {
    piece.label = label[piece.label];
    for (std::int32_t& neighbour : piece.neighbour)
      if (neighbour != mesh::kNoNeighbour) neighbour = label[neighbour];
  }
}

/// @param surfaces  function that makes pieces from a mesh, the label of each cell, and the number of labels
template <class Mesh, class Surfaces>
std::vector<mesh::PieceSurface> smoothed_surfaces(const Mesh& mesh, const modes::PieceLabels& atoms,
                                                  const PrefractureParameters& parameters, const Surfaces& surfaces) {
  const auto smoothed = modes::smooth_pieces(mesh, atoms.of_cell, atoms.num_pieces(), parameters.smoothing_m2);
  const modes::CellGraph graph = modes::cell_graph(modes::simplices(smoothed.mesh));
  const modes::PieceLabels parts =
      modes::join_slivers(graph, modes::split_into_parts(graph, smoothed.label), parameters.smallest_share);
  auto pieces = surfaces(smoothed.mesh, parts.of_cell, parts.num_pieces());
  rename_parts(pieces, labels_of_parts(graph, parts, smoothed.label));
  std::ranges::stable_sort(pieces, {}, &mesh::PieceSurface::label);
  return pieces;
}

modes::PieceLabels atoms_of(const modes::CellGraph& graph, const modes::ModeSet& modes,
                            std::span<const double> face_weight, const PrefractureParameters& parameters) {
  return modes::join_slivers(graph, modes::intersect_modes(graph, modes, parameters.gluing), parameters.smallest_share,
                             face_weight);
}

/// @param thickness_m  factor on the sizes of cells; 0 leaves them areas
template <class Mesh, class Surfaces>
io::PiecesFile pieces_of(const Mesh& mesh, const modes::PieceLabels& atoms, const PrefractureParameters& parameters,
                         double thickness_m, const Surfaces& surfaces) {
  const modes::CellGraph graph = modes::cell_graph(modes::simplices(mesh));
  io::PiecesFile made;
  const double size = std::accumulate(graph.volume.begin(), graph.volume.end(), 0.0);
  (thickness_m > 0 ? made.volume_m3 : made.area_m2) = thickness_m > 0 ? size * thickness_m : size;
  made.gluing = parameters.gluing;
  made.smallest_share = parameters.smallest_share;
  made.smoothing_m2 = std::max(parameters.smoothing_m2, -1.0);
  made.pieces = parameters.smoothing_m2 >= 0 ? smoothed_surfaces(mesh, atoms, parameters, surfaces)
                                             : surfaces(mesh, atoms.of_cell, atoms.num_pieces());
  require_volume(made, kMeshTolerance);
  return made;
}

/// Uses a mesh extended until the body lies inside; labels are extended to the added tets.
io::PiecesFile prefracture_beyond(const mesh::Surface& body, const mesh::TetMesh& mesh, const modes::ModeSet& modes,
                                  std::span<const double> face_weight, const PrefractureParameters& parameters) {
  const modes::CellGraph graph = modes::cell_graph(modes::simplices(mesh));
  const modes::PieceLabels atoms = atoms_of(graph, modes, face_weight, parameters);
  const mesh::GrownMesh grown = mesh::grown_around(mesh, body);
  modes::PieceLabels further{{}, atoms.volume};  // volumes of the atoms themselves: only their number is used
  for (const std::int32_t tet : grown.of_tet) further.of_cell.push_back(atoms.of_cell[tet]);
  return cut_back_to(body, grown.mesh, pieces_of(grown.mesh, further, parameters, 1, modes::piece_surfaces));
}

}  // namespace

double smoothing_m2(const modes::PieceLabels& pieces, double share) {
  if (share < 0) return -1;
  const double length = share * std::cbrt(std::accumulate(pieces.volume.begin(), pieces.volume.end(), 0.0));
  return length * length;
}

TetPieces tet_pieces(const mesh::TetMesh& mesh, const modes::PieceLabels& labels,
                     const PrefractureParameters& parameters) {
  TetPieces made;
  std::vector<std::int32_t> label = labels.of_cell;
  if (parameters.smoothing_m2 >= 0) {
    modes::SmoothedPieces smoothed =
        modes::smooth_pieces(mesh, labels.of_cell, labels.num_pieces(), parameters.smoothing_m2);
    made.mesh = std::move(smoothed.mesh);
    label = std::move(smoothed.label);
  } else {
    made.mesh = mesh;
  }
  const modes::CellGraph graph = modes::cell_graph(made.mesh);
  made.parts = modes::join_slivers(graph, modes::split_into_parts(graph, label), parameters.smallest_share);
  made.label_of_part = labels_of_parts(graph, made.parts, label);
  return made;
}

io::PiecesFile prefracture(const mesh::TetMesh& mesh, const modes::ModeSet& modes, std::span<const double> face_weight,
                           const PrefractureParameters& parameters) {
  const modes::CellGraph graph = modes::cell_graph(modes::simplices(mesh));
  return pieces_of(mesh, atoms_of(graph, modes, face_weight, parameters), parameters, 1, modes::piece_surfaces);
}

io::PiecesFile prefracture(const mesh::PlaneMesh& plane, const modes::ModeSet& modes,
                           std::span<const double> face_weight, const PrefractureParameters& parameters,
                           double thickness_m) {
  const modes::CellGraph graph = modes::cell_graph(modes::simplices(plane));
  const modes::PieceLabels atoms = atoms_of(graph, modes, face_weight, parameters);
  if (thickness_m == 0) return pieces_of(plane, atoms, parameters, 0, modes::flat_pieces);
  const auto plates = [&](const mesh::PlaneMesh& cells, std::vector<std::int32_t> label, std::int32_t num_labels) {
    const modes::PieceLabels of_tets = plate_of(modes::PieceLabels{std::move(label), {}}, thickness_m);
    return modes::piece_surfaces(mesh::extruded(cells, thickness_m), of_tets.of_cell, num_labels);
  };
  return pieces_of(plane, atoms, parameters, thickness_m, plates);
}

io::PiecesFile prefracture_within(const mesh::Surface& body, const mesh::TetMesh& mesh, const modes::ModeSet& modes,
                                  std::span<const double> face_weight, const PrefractureParameters& parameters) {
  if (mesh::contains(mesh, body)) return cut_back_to(body, mesh, prefracture(mesh, modes, face_weight, parameters));
  if (has_patches(body)) try {  // patches alone may stick out
      return cut_back_to(body, mesh, prefracture(mesh, modes, face_weight, parameters));
    } catch (const core::MissingProgram&) {
      throw;
    } catch (const core::Error&) {
    }
  return prefracture_beyond(body, mesh, modes, face_weight, parameters);
}

io::PiecesFile cut_back_to(const mesh::Surface& body, const mesh::TetMesh& cage, const io::PiecesFile& cage_pieces) {
  io::PiecesFile made = cage_pieces;
  made.volume_m3 = volume_to_share_out(body, cage);
  made.is_exact_outside = true;
  made.pieces.clear();
  for (const mesh::PieceSurface& piece : cage_pieces.pieces)
    for (mesh::PieceSurface& solid : mesh::intersect(piece, body)) made.pieces.push_back(std::move(solid));
  require_volume(made, kExactTolerance);
  require_outside(made.pieces, body);
  mesh::join_small_pieces(made.pieces, made.smallest_share * made.volume_m3);
  require_volume(made, kExactTolerance);
  return made;
}

}  // namespace brisance::breaking
