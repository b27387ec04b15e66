#include "dust_bodies.hpp"

#include "brisance/mesh/groups.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace brisance::breaking {

namespace {

constexpr std::int32_t kNodes = 7, kTets = 8;
/// Larger than the ids of all meshes.
constexpr std::int64_t kFirstId = std::int64_t{1} << 50;

/// Six corners, then the middle, which all tets share.
const std::array<Vec3, kNodes> kCorners{Vec3::UnitX(),  Vec3::UnitY(),  Vec3::UnitZ(), -Vec3::UnitX(),
                                        -Vec3::UnitY(), -Vec3::UnitZ(), Vec3::Zero()};
constexpr std::array<std::array<std::int32_t, 3>, kTets> kFaces{
    {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2}, {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}}};

/// Half of its diagonal: ⁴⁄₃ a³ is the volume of a ball of radius r [m].
double half_diagonal(double radius) { return std::cbrt(std::numbers::pi) * radius; }

/// Rows of dust by their ids.
std::vector<std::size_t> ascending(const io::DustRows& dust) {
  std::vector<std::size_t> order(dust.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return dust.id[i]; });
  return order;
}

std::int64_t node_id(const io::DustRows& dust, std::size_t i, std::int32_t corner) {
  return kFirstId + kNodes * dust.id[i] + corner;
}

}  // namespace

void add_dust(const io::DustRows& dust, RunFrame& frame) {
  for (const std::size_t i : ascending(dust)) {
    const double a = half_diagonal(dust.radius[i]);
    const double inertia = dust.mass[i] * a * a / 5;
    const Vec3 turning = inertia > 0 ? Vec3(dust.angular_momentum[i] / inertia) : Vec3(Vec3::Zero());
    const auto first = static_cast<std::int32_t>(frame.node_id.size());
    for (std::int32_t k = 0; k < kNodes; ++k) {
      const Vec3 arm = a * kCorners[static_cast<std::size_t>(k)];
      frame.node_id.push_back(node_id(dust, i, k));
      frame.rest_position.push_back(dust.position[i] + arm);
      frame.position.push_back(dust.position[i] + arm);
      frame.velocity.push_back(dust.velocity[i] + turning.cross(arm));
    }
    for (std::int32_t t = 0; t < kTets; ++t) {
      const auto& face = kFaces[static_cast<std::size_t>(t)];
      frame.triangles.push_back({first + face[0], first + face[1], first + face[2]});
      frame.triangle_tet.push_back(static_cast<std::int32_t>(frame.tets.size()));
      frame.triangle_element.push_back(kFirstId + kTets * dust.id[i] + t);
      frame.source_triangle.push_back(-1);
      frame.tets.push_back({first + kNodes - 1, first + face[0], first + face[1], first + face[2]});
      frame.material.push_back(dust.material[i]);
      if (!frame.header.groups.empty()) frame.group.push_back(mesh::kNoGroup);
      frame.piece.push_back(static_cast<std::int32_t>(frame.header.num_pieces));
    }
    ++frame.header.num_pieces;
  }
}

void add_dust(const io::DustRows& dust, NodePositions& nodes) {
  for (const std::size_t i : ascending(dust))
    for (std::int32_t k = 0; k < kNodes; ++k) {
      nodes.node_id.push_back(node_id(dust, i, k));
      nodes.position.push_back(dust.position[i] +
                               half_diagonal(dust.radius[i]) * kCorners[static_cast<std::size_t>(k)]);
    }
}

}  // namespace brisance::breaking
