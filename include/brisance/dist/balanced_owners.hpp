/// New owners for nodes where the work is not where the owners are.
#pragma once

#include "brisance/dist/mesh.hpp"

#include <cstdint>
#include <span>

namespace brisance::dist {

/// Owners for `migrate` under which every rank has about the same work: the nodal graph divided by PT-Scotch where it
/// lies, the parts named so that most work stays. `work` of owned nodes by slot, in any unit, not negative. Collective;
/// throws core::Error.
[[nodiscard]] NodeField<std::int32_t> balanced_owners(const Mesh& mesh, std::span<const double> work);

}  // namespace brisance::dist
