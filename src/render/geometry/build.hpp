/// Builds the geometry of a snapshot.
#pragma once

#include "brisance/io/snapshot.hpp"
#include "brisance/render/options.hpp"

#include "render/geometry/geometry.hpp"

namespace brisance::render {

/// @param range  of the field used for colours; unused for surface, piece and material
/// Throws core::Error if the snapshot has no boundary triangles or is inconsistent.
[[nodiscard]] Geometry build_geometry(const io::Snapshot& snapshot, const Options& options, const Camera& camera,
                                      const ValueRange& range);

}  // namespace brisance::render
