#include "texture.hpp"

#include <algorithm>

namespace brisance::render {
namespace {

const io::StateColumn* texture_column(const io::SnapshotPart& part) {
  const auto found = std::ranges::find(part.element_state, kTextureColumn, &io::StateColumn::name);
  const bool is_whole =
      found != part.element_state.end() && found->width == 6 && found->values.size() == 6 * part.element_id.size();
  return is_whole ? &*found : nullptr;
}

}  // namespace

bool has_texture(const io::SnapshotPart& part) { return texture_column(part) != nullptr; }

std::vector<std::array<Eigen::Vector2f, 3>> texture_coordinates(const io::SnapshotPart& part,
                                                                const std::vector<std::int64_t>& below) {
  std::vector<std::array<Eigen::Vector2f, 3>> coordinates;
  const io::StateColumn* column = texture_column(part);
  if (column == nullptr) return coordinates;
  for (const std::int64_t element : below) {
    const double* uv = column->values.data() + 6 * element;
    auto& corners = coordinates.emplace_back();
    for (std::size_t c = 0; c < 3; ++c) corners[c] = Eigen::Vector2d(uv[2 * c], uv[2 * c + 1]).cast<float>();
  }
  return coordinates;
}

}  // namespace brisance::render
