/// All scalar modes of a body, connected or not.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/modes/mode_set.hpp"
#include "brisance/modes/scalar_modes.hpp"
#include "brisance/modes/start_vectors.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace brisance::modes {

/// How many scalar modes each connected part gets, its constant one included: `count`, or as many as a small part
/// allows (one a node or tet). Throws core::Error if even the largest part does not allow `count`.
[[nodiscard]] std::vector<std::int32_t> modes_of_parts(const mesh::TetMesh& mesh, const CellGraph& graph,
                                                       std::int32_t count);

struct FindModesSettings {
  std::int32_t count = 10;  ///< scalar modes a connected part, the constant one included
  ScalarModeSettings search;
  EigenMethod start = EigenMethod::automatic;
};

/// Told after each mode that took a search. @param cpu_s  its CPU time, without start vectors [s]
/// @return false to stop there
using AfterMode = std::function<bool(const ModeSet& modes, double cpu_s)>;

/// Fills `modes` up with the scalar modes of each connected part by itself: first the constants of all parts, then the
/// rest part by part. Modes that `modes` holds already are kept and not computed again.
/// @param face_weight  one a face of the graph, all positive
/// @return true when complete, false when `after_mode` stopped it
/// Local, deterministic. Throws core::Error (see ScalarModeSearch).
bool find_modes(const mesh::TetMesh& mesh, const CellGraph& graph, std::span<const double> face_weight,
                const FindModesSettings& settings, ModeSet& modes, const AfterMode& after_mode);

}  // namespace brisance::modes
