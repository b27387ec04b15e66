/// Which way is out.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <cstdint>

namespace brisance::mesh {

struct OrientReport {
  std::int64_t num_turned = 0, num_cavities = 0, num_swallowed = 0;
};

/// Turns triangles, and takes out closed components inside the material, as `clean` promises. Components are connected
/// through edges of exactly two triangles; one that cannot be oriented (a Möbius strip) keeps an edge with opposite
/// sides, which the check finds. Local; does not throw.
OrientReport orient_outward(Surface& surface);

}  // namespace brisance::mesh
