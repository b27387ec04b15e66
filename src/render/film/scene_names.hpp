/// Names of what is in a picture, for masks.
#pragma once

#include "brisance/io/snapshot.hpp"

#include "render/film/cryptomatte.hpp"
#include "render/geometry/geometry.hpp"

#include <cstdint>
#include <vector>

namespace brisance::render {

struct SceneNames {
  CryptoNames objects{"crypto_object"};  ///< simulation materials and colliders
  CryptoNames pieces{"crypto_piece"};    ///< pieces, each collider, and all dust
  std::vector<std::uint32_t> object_of;  ///< number in objects, by surface
  std::vector<std::uint32_t> piece_of;   ///< number in pieces, by solid
};

/// A piece is called by the smallest id of its elements: piece_0, piece_5713. Numbers of pieces change from frame to
/// frame, these ids seldom do. Local.
[[nodiscard]] SceneNames scene_names(const io::Snapshot& snapshot, const Geometry& geometry);

}  // namespace brisance::render
