/// Velocities around a place bound those of all nodes near it, whoever owns them, and not much more.
#include "brisance/contact/surface/velocity_regions.hpp"
#include "brisance/core/random.hpp"

#include "boundary_box.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

constexpr double kCell_m = 0.15;

struct Moving {
  std::array<double, 3> place, velocity;
};

/// The owned nodes of all ranks.
std::vector<Moving> all_nodes(const dist::Mesh& mesh) {
  std::vector<Moving> own;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) {
      const dist::NodeMotion& motion = mesh.motion[n];
      own.push_back({{motion.position[0], motion.position[1], motion.position[2]},
                     {motion.velocity[0], motion.velocity[1], motion.velocity[2]}});
    }
  return mesh.comm().all_gather(std::span<const Moving>(own));
}

/// A box of which each node has a velocity that follows from its id, slow but for the one with the lowest id.
dist::Mesh moving_box(const Vec3& at, double fastest_m_per_s) {
  dist::Mesh mesh = testing::boundary_box(5, true);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_used(n)) continue;
    const auto id = static_cast<std::uint64_t>(mesh.node_id[n].value);
    for (std::size_t k = 0; k < 3; ++k) {
      mesh.motion[n].position[k] += at[static_cast<Eigen::Index>(k)];
      mesh.motion[n].velocity[k] = core::hash_uniform(3, id, k) - 0.5;
    }
    if (id == 0) mesh.motion[n].velocity[0] = fastest_m_per_s;
  }
  return mesh;
}

Vec3 vector_of(const std::array<double, 3>& x) { return {x[0], x[1], x[2]}; }

TEST(VelocityRegions, BoundTheVelocitiesOfAllNodesNear) {
  for (const Vec3& at : {Vec3(0, 0, 0), Vec3(-0.7, 300, -40)}) {
    const dist::Mesh mesh = moving_box(at, 50);
    VelocityRegions regions;
    regions.update(mesh, kCell_m);
    const std::vector<Moving> nodes = all_nodes(mesh);
    for (const Moving& node : nodes) {
      const Vec3 place = vector_of(node.place), velocity = vector_of(node.velocity);
      const double near = regions.most_near(place, velocity), most = regions.most(velocity);
      EXPECT_LE(near, most);
      for (const Moving& other : nodes) {
        const double relative = (vector_of(other.velocity) - velocity).norm();
        EXPECT_LE(relative, most);
        if ((vector_of(other.place) - place).lpNorm<Eigen::Infinity>() <= kCell_m) EXPECT_LE(relative, near);
      }
    }
  }
}

TEST(VelocityRegions, AFastNodeFarAwayDoesNotCount) {
  const dist::Mesh mesh = moving_box(Vec3::Zero(), 50);
  VelocityRegions regions;
  regions.update(mesh, kCell_m);
  const Vec3 beside(0.1, 0, 0), far(1, 1, 1);
  EXPECT_GT(regions.most_near(beside, Vec3::Zero()), 49);
  EXPECT_LT(regions.most_near(far, Vec3::Zero()), 1);
  EXPECT_GT(regions.most(Vec3::Zero()), 49);
}

}  // namespace
}  // namespace brisance::contact
