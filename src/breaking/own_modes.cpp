/// Extracts each piece from the mesh, computes its modes, and divides it along them.
#include "brisance/breaking/own_modes.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/tets/boundary_faces.hpp"
#include "brisance/modes/body/merged_graph.hpp"
#include "brisance/modes/search/find_modes.hpp"

#include <algorithm>
#include <numeric>

#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

namespace {

/// Tets of one piece as a mesh, in the same order; all its boundary faces count as surface.
mesh::TetMesh mesh_of(const mesh::TetMesh& whole, std::span<const std::int32_t> tets) {
  mesh::TetMesh mesh;
  std::vector<std::int32_t> number(whole.nodes.size(), -1);
  for (const std::int32_t t : tets) {
    auto& corners = mesh.tets.emplace_back();
    for (int k = 0; k < 4; ++k) {
      const std::int32_t node = whole.tets[t][k];
      if (number[node] < 0) {
        number[node] = static_cast<std::int32_t>(mesh.nodes.size());
        mesh.nodes.push_back(whole.nodes[node]);
      }
      corners[k] = number[node];
    }
  }
  return mesh;
}

/// One piece during the search of its modes.
struct Piece {
  std::vector<std::int32_t> tets;  ///< numbers in the object, ascending
  double volume = 0;
  modes::PieceLabels atoms;  ///< empty until it is divided
  runtime::ImpactSet set;

  [[nodiscard]] bool divided() const { return atoms.num_pieces() > 1; }
};

std::vector<Piece> pieces_of(const modes::PieceLabels& atoms) {
  std::vector<Piece> pieces(atoms.num_pieces());
  for (std::size_t t = 0; t < atoms.of_cell.size(); ++t)
    pieces[atoms.of_cell[t]].tets.push_back(static_cast<std::int32_t>(t));
  for (std::int32_t p = 0; p < atoms.num_pieces(); ++p) pieces[p].volume = atoms.volume[p];
  return pieces;
}

/// Face weights of each piece, in the order of its own graph: renumbering keeps the order of cells.
std::vector<std::vector<double>> weights_of(const Breakable& object) {
  std::vector<std::vector<double>> weights(object.atoms.num_pieces());
  const modes::CellGraph graph = modes::cell_graph(object.mesh);
  for (std::size_t f = 0; f < graph.faces.size(); ++f) {
    const std::int32_t a = object.atoms.of_cell[graph.faces[f].a];
    if (a == object.atoms.of_cell[graph.faces[f].b]) weights[a].push_back(object.face_weight[f]);
  }
  return weights;
}

modes::ModeSet modes_of(const modes::Body& body, std::int32_t scalar_count) {
  const std::vector<std::int32_t> sets = modes::unbreakable_sets(body.graph, body.no_break);
  const std::int32_t num_sets = 1 + *std::max_element(sets.begin(), sets.end());
  modes::FindModesSettings settings;
  settings.count = std::min({scalar_count, num_sets, static_cast<std::int32_t>(body.mesh.nodes.size())});
  modes::ModeSet found;
  modes::find_modes(body, settings, found, [](const modes::ModeSet&, double) { return true; });
  return found;
}

/// Computes the piece's modes and divides it along them.
/// @param smallest_share  of the piece's volume
void divide(const Breakable& whole, const std::vector<double>& face_weight, std::int32_t scalar_count,
            const BreakableParameters& breakable, double smallest_share, Piece& piece) {
  mesh::TetMesh mesh = mesh_of(whole.mesh, piece.tets);
  (void)mesh::number_boundary(mesh);  // of an object whose faces are in order
  modes::Body body;
  body.mesh = modes::simplices(mesh);
  body.graph = modes::cell_graph(body.mesh);
  body.face_weight = face_weight;
  if (!whole.no_break.empty())
    for (const std::int32_t t : piece.tets) body.no_break.push_back(whole.no_break[t]);
  const modes::ModeSet found = modes_of(body, scalar_count);
  piece.atoms = modes::join_slivers(body.graph, modes::intersect_modes(body.graph, found, breakable.gluing),
                                    smallest_share, face_weight);
  if (piece.divided()) piece.set = modes::impact_set(mesh, body.graph, found, piece.atoms, breakable.smear);
}

/// Appends the parts of a piece to the labels of the object.
void add_atoms(const Piece& piece, OwnModes& made) {
  const std::int32_t first = made.atoms.num_pieces();
  for (std::size_t k = 0; k < piece.tets.size(); ++k)
    made.atoms.of_cell[piece.tets[k]] = first + (piece.divided() ? piece.atoms.of_cell[k] : 0);
  if (piece.divided())
    made.atoms.volume.insert(made.atoms.volume.end(), piece.atoms.volume.begin(), piece.atoms.volume.end());
  else
    made.atoms.volume.push_back(piece.volume);
}

}  // namespace

OwnModes own_modes(const Breakable& object, const BreakableParameters& breakable,
                   const OwnModesParameters& parameters) {
  if (!(parameters.smallest_body >= 0 && parameters.smallest_body <= 1))
    throw core::Error(
        fmt::format("The smallest piece with modes of its own is given as {:g} of the volume; it must be "
                    "between 0 and 1, for example 0.02.",
                    parameters.smallest_body));
  const std::int32_t scalar_count = (parameters.count + 2) / 3;
  const double volume = std::accumulate(object.atoms.volume.begin(), object.atoms.volume.end(), 0.0);
  std::vector<Piece> pieces = pieces_of(object.atoms);
  const std::vector<std::vector<double>> weights = weights_of(object);
  OwnModes made;
  made.atoms.of_cell.resize(object.mesh.tets.size());
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    Piece& piece = pieces[p];
    // Below twice the smallest volume nothing can be cut off.
    const double smallest_share = breakable.smallest_piece * volume / piece.volume;
    if (scalar_count > 1 && piece.volume >= parameters.smallest_body * volume && smallest_share <= 0.5)
      divide(object, weights[p], scalar_count, breakable, smallest_share, piece);
    add_atoms(piece, made);
    auto& own = made.of_piece.emplace_back();
    if (piece.divided()) {
      own = std::move(piece.set);
      ++made.num_divided;
    }
    piece = {};
  }
  if (made.num_divided == 0) made.of_piece.clear();
  return made;
}

}  // namespace brisance::breaking
