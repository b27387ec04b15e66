/// Searches the edge length at which a body has a number of tets.
#pragma once

#include "brisance/mesh/generate/generate.hpp"

#include "mesh/generate/fill_body.hpp"

namespace brisance::mesh {

inline constexpr double kCountTolerance = 0.10;  ///< relative error of the count above which it is noted

/// Tries edge lengths until the number of tets is near `report.target_tets` and none is a sliver; keeps the best, whose
/// report replaces `report`. Throws core::FailedMeshing if no try succeeds. Local, deterministic.
[[nodiscard]] Filled fill_with_target(const Body& body, const Request& request, MeshReport& report);

}  // namespace brisance::mesh
