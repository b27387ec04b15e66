#include "brisance/breaking/breakable.hpp"

#include "brisance/breaking/mode_file.hpp"
#include "brisance/breaking/plate.hpp"
#include "brisance/core/error.hpp"
#include "brisance/modes/pieces/flat_pieces.hpp"
#include "brisance/modes/pieces/pieces_surface.hpp"

#include <numeric>

#include <spdlog/fmt/fmt.h>

namespace brisance::breaking {

Breakable read_breakable(const std::filesystem::path& modes_file, const BreakableParameters& parameters) {
  ModeFile file = read_mode_file(modes_file);
  modes::CellGraph graph = body_of(file).graph;
  Breakable object;
  object.is_complete = file.complete;
  object.atoms = modes::join_slivers(graph, modes::intersect_modes(graph, file.modes, parameters.gluing),
                                     parameters.smallest_piece, file.face_weight);
  if (parameters.thickness_m != 0) {
    file = plate_of(file, parameters.thickness_m);
    object.atoms = plate_of(object.atoms, parameters.thickness_m);
    graph = modes::cell_graph(file.mesh);
  }
  try {
    object.set = file.modes.dimension == 2
                     ? modes::impact_set(file.plane, graph, file.modes, object.atoms, parameters.smear)
                     : modes::impact_set(file.mesh, graph, file.modes, object.atoms, parameters.smear);
  } catch (const core::Error& e) {
    throw core::Error(modes_file.string() + ": " + e.what());
  }
  object.mesh = std::move(file.mesh);
  object.plane = std::move(file.plane);
  object.face_weight = std::move(file.face_weight);
  object.no_break = std::move(file.no_break);
  return object;
}

io::PiecesFile pieces_after(const Breakable& object, const BreakableParameters& parameters,
                            const runtime::Answer& answer) {
  if (answer.piece_of_atom.size() != object.atoms.volume.size())
    throw core::Error(fmt::format("The answer is about {} atoms, the object has {}.", answer.piece_of_atom.size(),
                                  object.atoms.volume.size()));
  std::vector<std::int32_t> label;
  for (const std::int32_t atom : object.atoms.of_cell) label.push_back(answer.piece_of_atom[atom]);
  io::PiecesFile made;
  const bool is_flat = object.set.dimension == 2;
  (is_flat ? made.area_m2 : made.volume_m3) =
      std::accumulate(object.atoms.volume.begin(), object.atoms.volume.end(), 0.0);
  made.gluing = parameters.gluing;
  made.smallest_share = parameters.smallest_piece;
  made.smoothing_m2 = -1;  // not smoothed: cracks follow the faces of the mesh
  made.pieces = is_flat ? modes::flat_pieces(object.plane, label, answer.num_pieces)
                        : modes::piece_surfaces(object.mesh, label, answer.num_pieces);
  // Each has the name of its largest atom.
  std::vector<std::int32_t> largest(static_cast<std::size_t>(answer.num_pieces), -1);
  for (std::size_t a = 0; a < answer.piece_of_atom.size(); ++a) {
    if (answer.piece_of_atom[a] < 0) continue;
    std::int32_t& atom = largest[static_cast<std::size_t>(answer.piece_of_atom[a])];
    if (atom < 0 || object.atoms.volume[a] > object.atoms.volume[static_cast<std::size_t>(atom)])
      atom = static_cast<std::int32_t>(a);
  }
  for (const mesh::PieceSurface& piece : made.pieces)
    made.names.push_back(runtime::atom_name(largest[static_cast<std::size_t>(piece.label)]));
  return made;
}

}  // namespace brisance::breaking
