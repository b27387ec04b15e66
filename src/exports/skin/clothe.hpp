/// Surfaces of a frame's pieces: the object's skin where it has one, else the outside of the tets.
#pragma once

#include "brisance/exports/fragments.hpp"

#include "exports/skin/cut_skin.hpp"

#include <cstdint>
#include <vector>

namespace brisance::exports {

/// An input surface prepared for frames.
struct PreparedSkin {
  InputSkin skin;
  TriangleSearch search;
  std::vector<std::int32_t> row_of_material;  ///< in FragmentFrame::materials
};

/// What surfaces of a frame have in common.
struct SurfaceStyle {
  double crease_deg = 30;
  bool has_texture = false, has_colours = false;
  std::int32_t outside = 0, crack = 0;  ///< rows of materials: of an outside without a skin, of cracks
};

/// Surfaces of the chosen pieces with a skin, written to `surfaces` by piece. Returns the number of triangles that
/// could not be divided (CutSkin::num_unclear). Local.
std::int64_t clothe(const BrokenShape& shape, const std::vector<char>& chosen, const PreparedSkin& skin,
                    const SurfaceStyle& style, std::vector<Surface>& surfaces);

/// The same without a skin.
void leave_bare(const BrokenShape& shape, const std::vector<char>& chosen, const SurfaceStyle& style,
                std::vector<Surface>& surfaces);

}  // namespace brisance::exports
