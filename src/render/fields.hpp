/// Field values at each corner of each boundary triangle, for colours.
#pragma once

#include "brisance/io/snapshot.hpp"
#include "brisance/render/options.hpp"

#include <array>
#include <vector>

namespace brisance::render {

/// For each boundary triangle the index of the tet under it, by global id. Throws core::Error if one is missing.
[[nodiscard]] std::vector<std::int64_t> elements_below(const io::SnapshotPart& part);

/// Values of a field at the three corners of each triangle, in the field's unit. `below` as from elements_below.
/// Throws core::Error for a field the snapshot does not hold (an empty plastic strain is zero everywhere).
[[nodiscard]] std::vector<std::array<double, 3>> corner_values(const io::SnapshotPart& part, ColourBy field,
                                                               const std::vector<std::int64_t>& below);

/// The range of values for the colour map: 1st to 99th percentile (so that one bad element does not dominate), from
/// zero for fields that cannot be negative.
[[nodiscard]] ValueRange value_range(const std::vector<std::array<double, 3>>& values, ColourBy field);

/// value_range of one snapshot's boundary.
[[nodiscard]] ValueRange frame_range(const io::SnapshotPart& part, ColourBy field);

}  // namespace brisance::render
