/// Dust as small balls.
#pragma once

#include "geometry.hpp"

namespace brisance::render {

/// Appends a ball for each particle, about the geometry's origin: of the crack surfaces' colour, or of its material's,
/// its own as a piece, its speed. Local.
void add_dust(Geometry& geometry, const io::DustRows& dust, const Options& options, const ValueRange& range);

}  // namespace brisance::render
