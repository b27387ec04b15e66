#include "brisance/sim/breakable.hpp"

#include "brisance/sim/mode_file.hpp"

namespace brisance::sim {

Breakable read_breakable(const std::filesystem::path& modes_file, const BreakableParameters& parameters) {
  ModeFile file = read_mode_file(modes_file);
  const modes::CellGraph graph = modes::cell_graph(file.mesh);
  Breakable object;
  object.atoms = modes::join_slivers(graph, modes::intersect_modes(graph, file.modes, parameters.gluing),
                                     parameters.smallest_piece, file.face_weight);
  object.set = modes::impact_set(file.mesh, graph, file.modes, object.atoms, parameters.smear);
  object.mesh = std::move(file.mesh);
  object.face_weight = std::move(file.face_weight);
  object.no_break = std::move(file.no_break);
  return object;
}

}  // namespace brisance::sim
