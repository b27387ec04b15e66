/// Makes an object that can be struck from a file of modes: mesh, atoms and the runtime set, the same way for all uses.
#pragma once

#include "brisance/io/pieces_file.hpp"
#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/modes/pieces/impact.hpp"
#include "brisance/modes/pieces/pieces.hpp"
#include "brisance/runtime/impact_answer.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace brisance::breaking {

struct BreakableParameters {
  double gluing = 1e-3;          ///< jumps below this over √V do not separate atoms [–]
  double smallest_piece = 1e-3;  ///< share of the volume; smaller atoms join a neighbour [–]
  modes::SmearParameters smear;
  double thickness_m = 0;  ///< thickness of the plate made from a flat body; 0: it stays flat
};

struct Breakable {
  mesh::TetMesh mesh;                  ///< empty for a body that stays flat
  mesh::PlaneMesh plane;               ///< empty for a solid
  std::vector<double> face_weight;     ///< weights of the faces of modes::cell_graph(mesh)
  std::vector<std::int32_t> no_break;  ///< as in modes::Body
  modes::PieceLabels atoms;
  runtime::ImpactSet set;
  bool is_complete = true;  ///< false: the search that wrote the file was not finished
};

/// Reads a file of `brisance modes` and precomputes its impacts. Local; throws core::Error (no such file, damaged, no
/// modes in it, parameters out of range, a thickness for a solid).
[[nodiscard]] Breakable read_breakable(const std::filesystem::path& modes_file, const BreakableParameters& parameters);

/// The solids, or flat pieces, after an impact, with cracks along the faces of the mesh. A piece's label is its number
/// in the answer. Local. Throws core::Error if object and answer are inconsistent.
/// @param answer  for the whole object, by a target of `object.set`
[[nodiscard]] io::PiecesFile pieces_after(const Breakable& object, const BreakableParameters& parameters,
                                          const runtime::Answer& answer);

}  // namespace brisance::breaking
