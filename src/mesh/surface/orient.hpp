/// Outward orientation of a surface.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <cstdint>

namespace brisance::mesh {

struct OrientReport {
  std::int64_t num_turned = 0, num_cavities = 0, num_swallowed = 0;
};

/// Orients triangles, and removes closed components inside the material, as documented at `clean`. Components are
/// connected through edges of exactly two triangles; one that cannot be oriented (a Möbius strip) keeps a misoriented
/// edge, which the check reports. Local; does not throw.
OrientReport orient_outward(Surface& surface);

}  // namespace brisance::mesh
