/// Texture coordinates of a frame.
#pragma once

#include "brisance/io/snapshot.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::render {

/// State of elements with u, v of the three corners of the boundary triangle above each. Files of pieces have it where
/// their input had coordinates.
inline constexpr const char* kTextureColumn = "texture";

/// The coordinates of each boundary triangle; empty if the frame has none.
/// @param below  as from elements_below
[[nodiscard]] std::vector<std::array<Eigen::Vector2f, 3>> texture_coordinates(const io::SnapshotPart& part,
                                                                              const std::vector<std::int64_t>& below);
[[nodiscard]] bool has_texture(const io::SnapshotPart& part);

}  // namespace brisance::render
