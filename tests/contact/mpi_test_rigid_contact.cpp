// The same nodes distributed over 1–4 ranks in different ways: forces and bodies must not differ in a single bit.
#include "brisance/core/random.hpp"

#include "mass_points.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

using testing::MassPoints;

constexpr int kNodes = 300;
constexpr double kDt = 2e-5;
const Vec3 kGravity(0, 0, -9.81);

std::vector<ColliderParameters> scene() {
  ColliderParameters ground;
  ground.name = "ground";
  ground.position = Vec3(0, 0, -0.02);
  ColliderParameters ball;
  ball.name = "ball";
  ball.shape = ColliderShape::sphere;
  ball.motion = ColliderMotion::free;
  ball.radius_m = 0.3;
  ball.mass_kg = 2;
  ball.position = Vec3(0.1, 0, 0.55);
  ball.velocity = Vec3(1, 0, -4);
  ball.angular_velocity = Vec3(0, 10, 3);
  ColliderParameters box = ball;
  box.name = "box";
  box.shape = ColliderShape::box;
  box.size = Vec3(0.3, 0.2, 0.4);
  box.position = Vec3(-0.75, 0, 0.1);
  box.velocity = Vec3(5, 0, 0);
  ColliderParameters piston = box;
  piston.name = "piston";
  piston.motion = ColliderMotion::path;
  piston.path = {KeyFrame{.time_s = 0, .position = Vec3(0.7, 0, 0.1)},
                 KeyFrame{.time_s = 0.01,
                          .position = Vec3(0.5, 0, 0.1),
                          .orientation = Eigen::Quaterniond(Eigen::AngleAxisd(0.4, Vec3::UnitY()))}};
  return {ground, ball, box, piston};
}

int dealt_to(int node, int ranks, int way) {
  if (way == 0) return 0;  // all to rank 0: the others own nothing
  if (way == 1) return node % ranks;
  return static_cast<int>(core::hash_bits(11, static_cast<std::uint64_t>(node), 0) % static_cast<std::uint64_t>(ranks));
}

struct Outcome {
  std::vector<double> bodies;
  std::vector<double> nodes;  // position, velocity and force of every node, gathered
  double on_nodes = 0, on_bodies = 0, dissipated = 0, stored = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// `way` < 0: every rank runs all the nodes itself, the serial reference.
Outcome run(int way) {
  const core::Comm world;
  const core::Comm comm(way < 0 ? MPI_COMM_SELF : MPI_COMM_WORLD);
  RigidColliders colliders(scene());
  MassPoints points;
  for (int i = 0; i < kNodes; ++i) {
    const auto uniform = [&](std::uint64_t k) { return core::hash_uniform(5, static_cast<std::uint64_t>(i), k); };
    points.add(Vec3(uniform(0) - 0.5, 0.3 * (uniform(1) - 0.5), 0.25 * uniform(2)), Vec3(0, 0, -uniform(3)),
               0.01 + 0.02 * uniform(4), 2000 + 2000 * uniform(5));
  }
  if (way >= 0)
    std::erase_if(points.owned, [&](int slot) { return dealt_to(slot, world.size(), way) != world.rank(); });
  if (way == 2) std::reverse(points.owned.begin(), points.owned.end());

  ContactWork work;
  for (int step = 1; step <= 400; ++step) {
    points.step(comm, colliders, step * kDt, kDt, kGravity);
    colliders.add_work(points.motion, kDt, work);
  }
  Outcome outcome;
  outcome.bodies = colliders.save();
  for (core::ExactSum* sum : {&work.on_nodes, &work.on_bodies, &work.dissipated}) sum->reduce(comm);
  core::ExactSum stored = colliders.stored_energy(points.view(), points.offset);
  stored.reduce(comm);
  outcome.on_nodes = work.on_nodes.value();
  outcome.on_bodies = work.on_bodies.value();
  outcome.dissipated = work.dissipated.value();
  outcome.stored = stored.value();
  std::vector<double> mine;
  for (const auto i : points.owned) {
    mine.push_back(i);
    for (int k = 0; k < 3; ++k)
      mine.insert(mine.end(), {points.motion[i].position[k], points.motion[i].velocity[k], points.forces[i].force[k]});
  }
  const std::vector<double> all = comm.all_gather(std::span<const double>(mine));
  outcome.nodes.resize(all.size());
  for (std::size_t r = 0; r < all.size(); r += 10)
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(r), 10,
                outcome.nodes.begin() + static_cast<std::ptrdiff_t>(all[r] - 1) * 10);
  return outcome;
}

TEST(RigidContact, IsBitIdenticalHoweverTheNodesAreDealt) {
  const Outcome serial = run(-1);
  ASSERT_EQ(serial.nodes.size(), 10u * kNodes);
  EXPECT_GT(serial.dissipated, 0.1) << "too little contact to mean anything";
  EXPECT_NE(serial.on_bodies, 0);
  for (int way : {0, 1, 2}) {
    const Outcome dealt = run(way);
    EXPECT_TRUE(dealt == serial) << "nodes dealt in way " << way;
  }
}

TEST(RigidContact, EveryRankHoldsTheSameBodies) {
  const core::Comm comm;
  const std::vector<double> mine = run(2).bodies;
  const std::vector<double> all = comm.all_gather(std::span<const double>(mine));
  ASSERT_EQ(all.size(), mine.size() * static_cast<std::size_t>(comm.size()));
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], mine[i % mine.size()]);
}

// A rank without nodes, or without contacts in a step, still takes part in the reduction.
TEST(RigidContact, AFreeBodyFallsAlikeWithoutAnyContact) {
  RigidColliders colliders({scene()[1]});
  MassPoints nothing;
  for (int step = 1; step <= 10; ++step) nothing.step(core::Comm(), colliders, step * kDt, kDt, kGravity);
  EXPECT_NEAR(colliders.states()[0].velocity.z(), -4 - 9.81 * 10 * kDt, 1e-14);
}

}  // namespace
}  // namespace brisance::contact
