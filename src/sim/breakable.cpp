#include "brisance/sim/breakable.hpp"

#include "brisance/sim/mode_file.hpp"
#include "brisance/sim/plate.hpp"

namespace brisance::sim {

Breakable read_breakable(const std::filesystem::path& modes_file, const BreakableParameters& parameters) {
  ModeFile file = read_mode_file(modes_file);
  modes::CellGraph graph = body_of(file).graph;
  Breakable object;
  object.atoms = modes::join_slivers(graph, modes::intersect_modes(graph, file.modes, parameters.gluing),
                                     parameters.smallest_piece, file.face_weight);
  if (parameters.thickness_m != 0) {
    file = plate_of(file, parameters.thickness_m);
    object.atoms = plate_of(object.atoms, parameters.thickness_m);
    graph = modes::cell_graph(file.mesh);
  }
  object.set = file.modes.dimension == 2
                   ? modes::impact_set(file.plane, graph, file.modes, object.atoms, parameters.smear)
                   : modes::impact_set(file.mesh, graph, file.modes, object.atoms, parameters.smear);
  object.mesh = std::move(file.mesh);
  object.face_weight = std::move(file.face_weight);
  object.no_break = std::move(file.no_break);
  return object;
}

}  // namespace brisance::sim
