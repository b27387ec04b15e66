/// Lists of elements: home elements, which this rank counts, and elements around nodes.
#pragma once

#include "brisance/dist/mesh.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dist {

/// Slots of the elements this rank counts and writes (Mesh::is_home), ascending. Local.
[[nodiscard]] std::vector<std::int32_t> home_elements(const Mesh& mesh);

/// Slots of the elements held here that have one of these nodes, ascending. Local.
[[nodiscard]] std::vector<std::int32_t> elements_around(const Mesh& mesh, std::span<const LocalNode> nodes);

}  // namespace brisance::dist
