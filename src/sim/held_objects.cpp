#include "brisance/sim/held_objects.hpp"

#include "brisance/core/error.hpp"

#include "mobility.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace brisance::sim {

namespace {

/// The lowest node of each node's connected part.
std::vector<std::int32_t> parts_of(const mesh::TetMesh& whole) {
  std::vector<std::int32_t> above(whole.nodes.size());
  std::iota(above.begin(), above.end(), 0);
  const auto root = [&](std::int32_t n) {
    while (above[static_cast<std::size_t>(n)] != n)
      n = above[static_cast<std::size_t>(n)] = above[static_cast<std::size_t>(above[static_cast<std::size_t>(n)])];
    return n;
  };
  for (const auto& tet : whole.tets)
    for (const std::int32_t corner : tet) {
      const std::int32_t a = root(tet[0]), b = root(corner);
      above[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  std::vector<std::int32_t> part;
  for (std::size_t n = 0; n < above.size(); ++n) part.push_back(root(static_cast<std::int32_t>(n)));
  return part;
}

dynamics::HeldAxes held_axes(const Scene& scene, std::uint32_t regions) {
  dynamics::HeldAxes held = 0;
  for (std::size_t r = 0; r < scene.regions.size(); ++r)
    for (int k = 0; k < 3; ++k)
      if ((regions >> r & 1) != 0 && scene.regions[r].until_s > 0 && scene.regions[r].axes[static_cast<std::size_t>(k)])
        held = static_cast<dynamics::HeldAxes>(held | 1U << k);
  return held;
}

}  // namespace

void require_held(const Scene& scene, const mesh::TetMesh& whole, std::span<const std::uint32_t> regions,
                  std::span<const std::size_t> first_node) {
  Vec3 low = whole.nodes.front(), high = low;
  for (const Vec3& x : whole.nodes) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  const std::vector<std::int32_t> part = parts_of(whole);
  std::map<std::int32_t, Mobility> of_part;
  for (std::size_t n = 0; n < whole.nodes.size(); ++n)
    of_part[part[n]].hold((whole.nodes[n] - 0.5 * (low + high)) / (high - low).norm(),
                          held_axes(scene, regions.empty() ? 0 : regions[n]));
  for (const auto& [node, mobility] : of_part) {
    if (!mobility.is_loose()) continue;
    const auto after = std::ranges::upper_bound(first_node, static_cast<std::size_t>(node));
    const ObjectParameters& object = scene.objects[static_cast<std::size_t>(after - first_node.begin()) - 1];
    const Vec3& at = whole.nodes[static_cast<std::size_t>(node)];
    throw core::Error(fmt::format(
        "object \"{}\" is not held: the part of it around ({:.4g}, {:.4g}, {:.4g}) m can still move or turn as a "
        "whole, "
        "so that forces cannot balance. With time.integrator = \"static\" each part needs [[region]] tables that hold "
        "it, for example all axes of three nodes not in a line; or choose \"implicit_euler\".",
        object.name, at.x(), at.y(), at.z()));
  }
}

}  // namespace brisance::sim
