/// Renders dust as small balls.
#pragma once

#include "brisance/io/snapshot.hpp"
#include "brisance/render/options.hpp"

#include "render/geometry/geometry.hpp"

namespace brisance::render {

/// Appends a ball for each particle, relative to the geometry's origin, coloured as crack surface, by its material, as
/// a piece of its own, or by its speed. Local.
void add_dust(Geometry& geometry, const io::DustRows& dust, const Options& options, const ValueRange& range);

}  // namespace brisance::render
