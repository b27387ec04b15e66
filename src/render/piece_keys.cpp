#include "render/piece_keys.hpp"

#include <algorithm>

namespace brisance::render {

std::vector<std::uint64_t> piece_keys(const io::SnapshotPart& part) {
  std::vector<std::uint64_t> key;
  for (std::size_t e = 0; e < part.piece.size(); ++e) {
    if (part.piece[e] >= static_cast<std::int64_t>(key.size())) key.resize(part.piece[e] + 1, ~std::uint64_t{0});
    key[part.piece[e]] = std::min(key[part.piece[e]], static_cast<std::uint64_t>(part.element_id[e]));
  }
  return key;
}

}  // namespace brisance::render
