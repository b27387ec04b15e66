/// The cutter that bisects elements along the crack plane.
#pragma once

#include "brisance/fracture/cutters/cutter.hpp"

namespace brisance::fracture {

/// Bisects elements along the plane, splits the node by side, and then front nodes whose star loses its connection.
[[nodiscard]] std::unique_ptr<Cutter> make_remeshing_cutter(const Parameters& parameters);

}  // namespace brisance::fracture
