/// A head: the level set of smoothly joined distances of simple parts.
#pragma once

#include "brisance/mesh/request.hpp"
#include "brisance/mesh/surface.hpp"

namespace brisance::mesh {

inline constexpr double kLargestHeadEdge = 0.08;  ///< over its height: a coarser head has no face

/// The head of the request's length, fine enough to be remeshed to the edge length. Closed, outward, deterministic.
[[nodiscard]] Surface head_surface(const Request& request, double edge_length_m);

}  // namespace brisance::mesh
