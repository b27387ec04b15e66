/// The surface of elements that cracks divide without cutting them (dist/division.hpp): what of an element's outer
/// faces has material, and the crack faces inside it.
#pragma once

#include "brisance/dist/division.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::sim {

/// A triangle of the surface, counter-clockwise seen from outside.
struct DividedSurfaceRow {
  LocalElement element;
  std::int64_t source = -1;           ///< triangle of the input surface; −1: crack
  elements::SurfaceTriangle corners;  ///< in the element
};

/// The surface of these elements, in their order. Local.
[[nodiscard]] std::vector<DividedSurfaceRow> divided_surface(const dist::Mesh& mesh,
                                                             std::span<const std::int32_t> elements);

}  // namespace brisance::sim
