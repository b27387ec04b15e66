/// Volume of a tetrahedron that lies in others, which may overlap each other.
#pragma once

#include "brisance/contact/overlap/tet_overlap.hpp"

#include <span>

namespace brisance::contact {

/// A tet that overlaps the given one, and the volume of their common part [m³].
struct OverlappingTet {
  const PlacedTet* tet;
  double volume;
};

/// Volume of `tet` within the union of `others` [m³]: what lies in several of them counts once, so it is never above
/// the volume of `tet`. Exact to rounding.
/// @param others  of positive volume
/// Local; throws std::bad_alloc only.
[[nodiscard]] double covered_volume(const PlacedTet& tet, std::span<const OverlappingTet> others);

}  // namespace brisance::contact
