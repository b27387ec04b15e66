#include "render/tracing/eye.hpp"

#include <algorithm>

namespace brisance::render {
namespace {

/// Solids that a ray leaves first, ascending.
std::vector<std::uint32_t> left_first(const Crossings& crossings) {
  std::vector<std::uint32_t> seen, left;
  for (const Crossing& crossing : crossings.list()) {
    if (std::ranges::find(seen, crossing.solid) != seen.end()) continue;
    seen.push_back(crossing.solid);
    if (crossing.is_exit) left.push_back(crossing.solid);
  }
  std::ranges::sort(left);
  return left;
}

}  // namespace

std::vector<std::uint32_t> solids_around(const Tracer& tracer, const Vec3f& point) {
  // Directions with no relation to the axes, along which edges of models lie.
  const std::array<Vec3f, 3> directions{Vec3f(0.61F, 0.53F, 0.59F).normalized(),
                                        Vec3f(-0.71F, 0.67F, 0.23F).normalized(),
                                        Vec3f(0.13F, -0.43F, -0.89F).normalized()};
  std::vector<std::uint32_t> around = left_first(tracer.crossings({point, directions[0]}));
  for (std::size_t i = 1; i < directions.size() && !around.empty(); ++i) {
    const auto more = left_first(tracer.crossings({point, directions[i]}));
    std::erase_if(around, [&](std::uint32_t solid) { return !std::ranges::binary_search(more, solid); });
  }
  return around;
}

}  // namespace brisance::render
