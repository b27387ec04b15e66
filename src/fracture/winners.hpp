/// Choosing which failing nodes crack in this round.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/criterion.hpp"

#include <map>
#include <vector>

namespace brisance::fracture {

/// Failing nodes whose key is the largest within three edges: their cuts touch no common element. The key is the
/// severity in half octaves, then a hash of (seed, id, round), then the id, so that a smooth stress field does not
/// crack in single file; it depends on nothing but the failing nodes themselves. Ascending slot. Collective.
[[nodiscard]] std::vector<LocalNode> select_winners(const dist::Mesh& mesh, const std::map<LocalNode, Failure>& failing,
                                                    std::uint64_t seed, std::int64_t step, std::int64_t round);

}  // namespace brisance::fracture
