/// Corners of the boundary triangles of a snapshot: where they are, and their normals for shading.
#pragma once

#include "brisance/io/snapshot.hpp"
#include "brisance/render/colour.hpp"

#include <array>
#include <vector>

namespace brisance::render {

/// Throws core::Error if the snapshot has no boundary triangles or is inconsistent.
void require_consistent(const io::SnapshotPart& part);

/// Corners of each boundary triangle after pieces are moved apart by options.explode [m].
using Corners = std::vector<std::array<Vec3, 3>>;
[[nodiscard]] Corners exploded_corners(const io::SnapshotPart& part, const std::vector<std::int64_t>& below,
                                       double explode);

/// Unit shading normals of each corner: flat on crack surfaces; on the original surface the area-weighted mean over the
/// original triangles at the same node that bend less than `crease_deg`.
[[nodiscard]] std::vector<std::array<Vec3f, 3>> shading_normals(const io::SnapshotPart& part, const Corners& corners,
                                                                double crease_deg);

}  // namespace brisance::render
