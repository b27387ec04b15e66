/// Impacts and closed paths with criterion `surface`: VALIDATION E1, E5 and E8.
#include "brisance/contact/fields.hpp"
#include "brisance/contact/surface/surface_contact.hpp"

#include "contact/restitution.hpp"
#include "support/joined.hpp"
#include "support/over_ranks.hpp"
#include "support/simulated.hpp"
#include "support/surface_scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::joined;
using test::moved;
using test::surface_scene;

/// Mean vertical velocity of the nodes that were above this height at rest [m/s].
double mean_rise(const Simulation& simulation, double above_m) {
  Vec3 sum = Vec3::Zero();
  test::for_each_owned(simulation, [&](LocalNode n, std::int64_t) {
    if (simulation.mesh().rest[n].z() <= above_m) return;
    const double mass = simulation.mesh().mass[n];
    sum += Vec3(mass * simulation.mesh().motion[n].velocity[2], mass, 0);
  });
  sum = test::sum_over_ranks(simulation.comm(), sum);
  return sum.x() / sum.y();
}

/// A cube above a slab that is fixed everywhere, as a rigid wall.
Simulation cube_above_wall(const Scene& scene, double gap_m, const Vec3& velocity) {
  const mesh::TetMesh wall = moved(test::kuhn_box(8, 8, 1, 0.4, 0.4, 0.05), Mat3::Identity(), Vec3(0, 0, -0.05)),
                      cube = moved(test::kuhn_box(2, 2, 2, 0.1, 0.1, 0.1), Mat3::Identity(), Vec3(0.143, 0.152, gap_m));
  const mesh::TetMesh both = joined(wall, Vec3::Zero(), cube, velocity);
  std::vector<std::uint32_t> regions(both.nodes.size(), 0);
  std::fill_n(regions.begin(), wall.nodes.size(), 1);
  Scene held = scene;
  held.regions = {test::grip({true, true, true})};
  return Simulation(core::Comm(), held, both, regions);
}

/// Damping ratio of a body on its contact springs, C/(2 √(K m)).
double damping_ratio_of_body(const Simulation& simulation, double ratio_of_point, double mass) {
  double stiffness = 0, damping = 0;
  const contact::SurfaceContact& contact = *simulation.surface_contact();
  for (const contact::PointContact& c : contact.contacts()) {
    const LocalNode n(contact.surface().points()[static_cast<std::size_t>(c.point)].node);
    const double k = simulation.mesh().field(contact::kContactSpring)[n].stiffness_n_per_m;
    stiffness += k;
    damping += ratio_of_point * std::sqrt(k * c.pair_mass);
  }
  const Vec3 of_all = test::sum_over_ranks(simulation.comm(), Vec3(stiffness, damping, 0));
  return of_all.y() / (2 * std::sqrt(of_all.x() * mass));
}

// VALIDATION E1: on springs that are soft beside its elements a cube is a mass on a spring K and a damper C. A point's
// ζ is that of the scene's restitution for the mass that its share of the boundary represents; the cube is heavier.
TEST(SurfaceBlows, StiffBodyReboundsAsAMassOnASpring) {
  for (const double scenes : {1.0, 0.6, 0.2}) {
    Scene scene = surface_scene(test::solid(1e7, 0.3, 1000));
    scene.contact.stiffness_scale = 0.005;
    scene.contact.restitution = scenes;
    Simulation simulation = cube_above_wall(scene, 1e-4, -0.1 * Vec3::UnitZ());
    const double before = simulation.energies().total();
    while (mean_rise(simulation, 0) < -0.03) simulation.step();
    const double ratio = scenes < 1 ? damping_ratio_of_body(simulation, contact::damping_ratio(scenes), 1) : 0,
                 expected = contact::restitution(ratio);
    test::run_until(simulation, 0.2);
    EXPECT_NEAR(mean_rise(simulation, 0) / 0.1, expected, 0.03) << scenes;
    EXPECT_LE(scenes, expected);
    const Energies after = simulation.energies();
    EXPECT_EQ(after.contact, 0);
    EXPECT_NEAR(after.total(), before, 0.01 * before);
  }
}

// VALIDATION E8: a fall from H arrives with √(2gH), and the contact impulse is m (v + v') plus the weight over the
// time.
TEST(SurfaceBlows, FallArrivesAndItsImpulseIsTheChangeOfMomentum) {
  Scene scene = surface_scene(test::solid(1e7, 0.3, 1000, 1e-5));
  scene.contact.restitution = 0.6;
  scene.gravity = -9.81 * Vec3::UnitZ();
  constexpr double kFall = 0.05;
  Simulation simulation = cube_above_wall(scene, kFall, Vec3::Zero());
  const double arrival = std::sqrt(2 * 9.81 * kFall), mass = 1;
  double fastest = 0, impulse = 0, begun_s = 0, before = 0;
  while (simulation.time_s() < 0.13) {
    const double velocity = mean_rise(simulation, 0), at_s = simulation.time_s();
    simulation.step();
    double up = 0;
    for (const contact::ContactForce& c : simulation.surface_contact()->forces())
      if (simulation.mesh().rest[LocalNode(c.slot)].z() > 0) up += c.force.z() * simulation.last_step_s();
    up = test::sum_over_ranks(simulation.comm(), Vec3(up, 0, 0)).x();
    if (up > 0 && begun_s == 0) {
      begun_s = at_s;
      before = velocity;
    }
    impulse += up;
    fastest = std::min(fastest, velocity);
  }
  EXPECT_NEAR(-before, arrival, 0.005 * arrival);
  EXPECT_LE(fastest, before);
  const double after = mean_rise(simulation, 0);
  EXPECT_GT(after + 9.81 * (simulation.time_s() - begun_s), 0.5 * arrival);
  EXPECT_NEAR(impulse, mass * (after - before) + mass * 9.81 * (simulation.time_s() - begun_s), 1e-9);
}

// Edge on edge, each between two nodes of the other: no point gets behind a facet. VALIDATION describes this for nodes.
TEST(SurfaceBlows, EdgesThatCrossAreNotSeen) {
  const auto stick = [](const Mat3& turn, double z) {
    const mesh::TetMesh straight =
        moved(test::kuhn_box(3, 1, 1, 0.3, 0.03, 0.03), Mat3::Identity(), Vec3(-0.15, -0.015, -0.015));
    const Mat3 on_edge = Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitX()).toRotationMatrix();
    return moved(straight, turn * on_edge, Vec3(0, 0, z));
  };
  const Mat3 across = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ()).toRotationMatrix();
  Simulation simulation(core::Comm(), surface_scene(test::solid(1e6, 0.3, 1000, 1e-4)),
                        joined(stick(Mat3::Identity(), 0), Vec3::Zero(), stick(across, 0.044), Vec3(0, 0, -0.5)), {});
  const double before = mean_rise(simulation, 0.022);
  while (simulation.time_s() < 0.2) {
    simulation.step();
    ASSERT_EQ(simulation.comm().sum(simulation.deformable_contacts().pairs), 0);
  }
  EXPECT_NEAR(mean_rise(simulation, 0.022), before, 1e-12);
}

/// A body and a block above it that is moved by hand.
class HandMoved {
public:
  HandMoved(const Scene& scene, const mesh::TetMesh& bodies, double above_m)
      : simulation_(core::Comm(MPI_COMM_SELF), scene, bodies, {}), contact_(scene.contact) {
    const dist::Mesh& mesh = simulation_.mesh();
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      if (const LocalNode n(i); mesh.rest[n].z() > above_m) {
        block_.push_back(n);
        start_.emplace_back(mesh.motion[n].position);
      }
    force_.assign(block_.size(), Vec3::Zero());
  }
  /// Moves the block about the middle [m] and evaluates contact there.
  /// @return the work of contact on the way [J]
  double move_to(const Vec3& middle, const Vec3& shift, const Mat3& turn) {
    dist::Mesh& mesh = simulation_.mesh();
    std::vector<Vec3> way(block_.size());
    for (std::size_t i = 0; i < block_.size(); ++i) {
      const Vec3 x = middle + shift + turn * (start_[i] - middle);
      way[i] = x - Vec3(mesh.motion[block_[i]].position);
      for (int k = 0; k < 3; ++k) {
        mesh.motion[block_[i]].position[k] = x[k];
        mesh.motion[block_[i]].velocity[k] = way[i][k] / kStep;
      }
    }
    ++steps_;
    contact_.find_for_step(mesh, step());
    double work = 0;
    for (std::size_t i = 0; i < block_.size(); ++i) work += 0.5 * force_[i].dot(way[i]);
    std::vector<Vec3> of_slot(static_cast<std::size_t>(mesh.num_node_slots()), Vec3::Zero());
    for (const contact::ContactForce& c : contact_.forces()) of_slot[static_cast<std::size_t>(c.slot)] = c.force;
    for (std::size_t i = 0; i < block_.size(); ++i) {
      force_[i] = of_slot[static_cast<std::size_t>(block_[i].value)];
      work += 0.5 * force_[i].dot(way[i]);
    }
    return work;
  }
  [[nodiscard]] double stored() { return contact_.stored(simulation_.mesh(), step()).value(); }

private:
  static constexpr double kStep = 1e-5;
  [[nodiscard]] contact::SurfaceStep step() const {
    return {.time_s = kStep * steps_, .dt_s = kStep, .last_dt_s = kStep, .stiffness_step_s = 1e-3};
  }
  Simulation simulation_;
  contact::SurfaceContact contact_;
  std::vector<LocalNode> block_;
  std::vector<Vec3> start_, force_;
  int steps_ = 0;
};

/// Position of the block relative to its start.
struct Stage {
  Vec3 shift;
  double angle;  ///< about the vertical through its middle
};

/// Work and stored energy of a path, and where they differ most.
struct PathEnergies {
  double work = 0, most_stored = 0, last_stored = 0, most_of_stage = 0;
};
PathEnergies go(HandMoved& block, const Vec3& middle, const std::vector<Stage>& stages) {
  constexpr int kSteps = 2500;
  PathEnergies path;
  for (std::size_t s = 0; s + 1 < stages.size(); ++s) {
    double work = 0;
    for (int i = 1; i <= kSteps; ++i) {
      const double share = static_cast<double>(i) / kSteps;
      const Vec3 shift = stages[s].shift + share * (stages[s + 1].shift - stages[s].shift);
      const double angle = stages[s].angle + share * (stages[s + 1].angle - stages[s].angle);
      work += block.move_to(middle, shift, Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix());
    }
    const double stored = block.stored();
    path.most_of_stage = std::max(path.most_of_stage, std::abs(work + stored - path.last_stored));
    path.last_stored = stored;
    path.most_stored = std::max(path.most_stored, stored);
    path.work += work;
  }
  return path;
}

const std::vector<Stage> kRound{
    {{0, 0, 0}, 0}, {{0.013, 0.007, -0.03}, 0}, {{0.11, 0.12, -0.025}, 0.5}, {{0.05, 0.12, 0.06}, 0.3}, {{0, 0, 0}, 0}};

/// A body of one cell, whose upper face is bent along its diagonal: up or down.
mesh::TetMesh bent_body(double lift_m) {
  mesh::TetMesh body = test::kuhn_box(1, 1, 1, 0.4, 0.4, 0.4);
  for (Vec3& x : body.nodes)
    if (x.z() > 0.2 && x.x() != x.y()) x.z() += lift_m;
  return body;
}

// VALIDATION E5: a block is pushed into a body, slides and rotates on it across the edge between two of its facets, and
// returns on another way: its work is the change of the springs' energy in each stage, and zero in total.
TEST(SurfaceBlows, WorkAroundAClosedPathIsNothing) {
  if (core::Comm().size() > 1) GTEST_SKIP() << "by hand, on one rank";
  const mesh::TetMesh block = test::kuhn_box(3, 3, 1, 0.09, 0.09, 0.09);
  for (const double lift : {0.02, 0.0, -0.02}) {
    HandMoved by_hand(
        surface_scene(test::solid(1e6, 0.3, 1000)),
        joined(bent_body(lift), Vec3::Zero(), moved(block, Mat3::Identity(), Vec3(0.13, 0.08, 0.425)), Vec3::Zero()),
        0.4245);
    const PathEnergies path = go(by_hand, Vec3(0.175, 0.125, 0.47), kRound);
    EXPECT_GT(path.most_stored, 1e-2);
    EXPECT_LT(path.most_of_stage, 1e-3 * path.most_stored) << lift;
    EXPECT_NEAR(path.work, 0, 1e-3 * path.most_stored) << lift;
    EXPECT_EQ(path.last_stored, 0);  // it is outside
  }
}

// Where the block's rim slides off a node in contact, that node's spring ends, and with it its energy: the block has
// done more work than it gets back, never less.
TEST(SurfaceBlows, RimsThatSlideOffPointsGainNothing) {
  if (core::Comm().size() > 1) GTEST_SKIP() << "by hand, on one rank";
  const mesh::TetMesh body = test::kuhn_box(4, 4, 4, 0.4, 0.4, 0.4), block = test::kuhn_box(2, 1, 1, 0.2, 0.1, 0.1);
  HandMoved by_hand(surface_scene(test::solid(1e6, 0.3, 1000)),
                    joined(body, Vec3::Zero(), moved(block, Mat3::Identity(), Vec3(0.1, 0.1, 0.41)), Vec3::Zero()),
                    0.405);
  const PathEnergies path = go(by_hand, Vec3(0.2, 0.15, 0.46), kRound);
  EXPECT_GT(path.most_stored, 1e-2);
  EXPECT_LT(path.work, 0);
  EXPECT_EQ(path.last_stored, 0);
}

}  // namespace
}  // namespace brisance::sim
