/// Each element of the whole mesh once, on one rank.
#pragma once

#include "brisance/dist/mesh.hpp"

#include <cstdint>
#include <vector>

namespace brisance::dist {

/// Slots of the elements this rank counts and writes (Mesh::is_home), ascending. Local.
[[nodiscard]] std::vector<std::int32_t> home_elements(const Mesh& mesh);

}  // namespace brisance::dist
