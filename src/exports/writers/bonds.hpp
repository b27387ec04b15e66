/// Bonds: pairs of pieces and the crack that divides them.
#pragma once

#include "brisance/exports/fragments.hpp"

#include <cstddef>
#include <vector>

namespace brisance::exports {

/// The crack between two pieces, at rest.
struct Bond {
  std::size_t a = 0, b = 0;     ///< rows of FragmentFrame::fragments, a < b
  double area_m2 = 0;           ///< mean of both sides
  Vec3 place = Vec3::Zero();    ///< mean over the crack [m]
  Vec3 normal = Vec3::UnitZ();  ///< mean over the crack, from a to b
};

/// Crack triangles belong to the piece whose crack lies on them at rest, facing them. Where the other side was lost as
/// dust there is no bond. In ascending (a, b). Local.
[[nodiscard]] std::vector<Bond> bonds_of(const FragmentFrame& frame);

}  // namespace brisance::exports
