// The stages of contact by overlaps, each alone: results with a list against a test of every pair, and forces against
// energies and momenta.
#include "brisance/contact/forces/pair_forces.hpp"
#include "brisance/contact/forces/pair_overlap.hpp"
#include "brisance/contact/forces/touching_tets.hpp"
#include "brisance/contact/search/tet_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

constexpr double kStiffness = 1e5;

/// Moving tets with four nodes each, some of which share a node.
class Swarm {
public:
  Swarm(int num_tets, int num_bodies, unsigned seed) : random_(seed), num_bodies_(num_bodies) {
    for (int i = 0; i < num_tets; ++i) add(i);
  }

  void move(double dt) {
    for (std::size_t slot = 0; slot < position.size(); ++slot) position[slot] += dt * velocity[slot];
  }
  [[nodiscard]] PlacedTet placed(std::size_t t) const {
    std::array<Vec3, 4> corner;
    for (std::size_t k = 0; k < 4; ++k) corner[k] = position[static_cast<std::size_t>(tets[t].number[k])];
    return placed_tet(corner);
  }
  [[nodiscard]] std::vector<OverlapNode> nodes() const {
    std::vector<OverlapNode> all;
    for (std::size_t n = 0; n < position.size(); ++n) {
      const Vec3 &x = position[n], &v = velocity[n];
      all.push_back({{x[0], x[1], x[2]}, {v[0], v[1], v[2]}, {v[0], v[1], v[2]}, 1, 4});
    }
    return all;
  }
  std::vector<ContactTet> tets;
  std::vector<Vec3> position, velocity;

private:
  /// Depths of small pieces, tets cut out of a body that is not present.
  [[nodiscard]] static TetDepths depths_of_crumb(const ContactTet& tet) {
    TetDepths crumb;
    crumb.area = std::pow(tet.volume, 2.0 / 3);
    crumb.depth[15] = 0.1 * std::cbrt(tet.volume);
    for (std::size_t k = 0; k < 4; ++k) crumb.node_mass[k] = 1 + static_cast<double>(tet.number[k] % 7);
    return crumb;
  }
  void add(int i) {
    std::uniform_real_distribution<double> coordinate(-1, 1);
    const auto random = [&] { return Vec3(coordinate(random_), coordinate(random_), coordinate(random_)); };
    ContactTet tet;
    tet.element = LocalElement(i);
    tet.id = GlobalElement(3 * i + 1);
    tet.body = i % num_bodies_;
    tet.is_home = true;
    const Vec3 bulk = 3 * Vec3(std::cos(tet.body), std::sin(tet.body), 0), own = random();  // a body moves as a whole
    const Vec3 middle = 2 * random();
    std::array<Vec3, 4> corner;
    do
      for (Vec3& x : corner) x = middle + 0.5 * random();
    while (placed_tet(corner).volume < 0.01);
    for (std::size_t k = 0; k < 4; ++k) {
      const bool shared = k == 0 && i >= num_bodies_ && i % 3 == 0;  // with the previous one of the body
      if (shared) {
        const ContactTet& other = tets[static_cast<std::size_t>(i - num_bodies_)];
        tet.node[k] = other.node[0];
        tet.number[k] = other.number[0];
        continue;
      }
      tet.number[k] = static_cast<std::int32_t>(position.size());
      tet.node[k] = GlobalNode(tet.number[k]);
      position.push_back(corner[k]);
      velocity.emplace_back(bulk + own + 0.1 * random());
    }
    tet.volume = placed_tet(corner).volume;
    tet.mass = 1000 * tet.volume;
    tet.depths = depths_of_crumb(tet);
    tets.push_back(tet);
  }

  std::mt19937 random_;
  int num_bodies_;
};

/// Results of the stages, each alone.
struct Stages {
  TetCandidates candidates;
  std::vector<PairOverlap> pairs;
  std::vector<TouchingTet> touching;

  void list(const Swarm& swarm, double skin_m, bool self) {
    candidates = TetCandidates(swarm.tets, swarm.position, skin_m, self);
  }
  void find(const Swarm& swarm, ContactCriterion criterion) {
    pairs = find_overlaps(swarm.tets, placed_tets(swarm.tets, swarm.position), criterion, candidates.pairs());
    touching = touching_tets(swarm.tets, pairs);
    for (std::size_t t = 0; t < touching.size(); ++t)
      touching[t].pressing = {touching[t].overlap / swarm.tets[t].volume, kStiffness};
  }
  [[nodiscard]] std::vector<OverlapForce> forces(const Swarm& swarm, std::vector<OverlapNode> nodes,
                                                 const PairForceLaw& law) const {
    PairForces found(swarm.tets, pairs, nodes.size());
    found.press(touching, nodes, law);
    if (law.friction > 0) found.add_friction(nodes, law);
    return found.sums();
  }
};

struct Found {
  std::int64_t pairs = 0;
  double stored = 0;
};

/// Overlap of two tets, with nodes of one in the other and the reverse as one.
std::int64_t num_pairs(std::span<const PairOverlap> pairs) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    count += i == 0 || pairs[i - 1].a != pairs[i].a || pairs[i - 1].b != pairs[i].b ? 1 : 0;
  return count;
}

/// Overlap in each of the two: the same for overlap_volume.
std::pair<double, double> shared(const Swarm& swarm, std::size_t a, std::size_t b, ContactCriterion criterion) {
  const PlacedTet p = swarm.placed(a), q = swarm.placed(b);
  if (!(p.volume > 0 && q.volume > 0)) return {0, 0};
  if (criterion == ContactCriterion::node_penetration)
    return {nodes_inside(p, swarm.tets[a].depths, q, swarm.tets[b].depths).volume,
            nodes_inside(q, swarm.tets[b].depths, p, swarm.tets[a].depths).volume};
  TetOverlap overlap = tet_overlap(p, q);
  if (!take_sliver_off(overlap, kSliverShare * std::min(swarm.tets[a].volume, swarm.tets[b].volume))) return {0, 0};
  return {overlap.volume, overlap.volume};
}

Found all_pairs(const Swarm& swarm, bool self, ContactCriterion criterion) {
  std::vector<double> sum(swarm.tets.size(), 0);
  Found found;
  for (std::size_t a = 0; a < swarm.tets.size(); ++a)
    for (std::size_t b = a + 1; b < swarm.tets.size(); ++b) {
      const ContactTet &s = swarm.tets[a], &t = swarm.tets[b];
      if (!self && s.body == t.body) continue;
      const bool share = std::any_of(s.node.begin(), s.node.end(), [&](GlobalNode n) {
        return std::find(t.node.begin(), t.node.end(), n) != t.node.end();
      });
      if (share) continue;
      const auto [of_a, of_b] = shared(swarm, a, b, criterion);
      if (!(of_a > 0 || of_b > 0)) continue;
      ++found.pairs;
      sum[a] += of_a;
      sum[b] += of_b;
    }
  core::ExactSum stored;
  for (std::size_t t = 0; t < sum.size(); ++t) {
    const double volume = swarm.tets[t].volume;
    stored.add(volume * Pressing{sum[t] / volume, kStiffness}.energy_density());
  }
  found.stored = stored.value();
  return found;
}

class Criteria : public testing::TestWithParam<ContactCriterion> {};
INSTANTIATE_TEST_SUITE_P(OverlapStages, Criteria,
                         testing::Values(ContactCriterion::overlap_volume, ContactCriterion::node_penetration),
                         [](const auto& criterion) {
                           return criterion.param == ContactCriterion::overlap_volume ? "Volume" : "Nodes";
                         });

TEST_P(Criteria, AListFindsWhatAllPairsGiveUntilItIsOutdated) {
  const core::Comm alone(MPI_COMM_SELF);
  constexpr double kSkin = 0.03;
  for (const int bodies : {1, 3, 40})
    for (const bool self : {true, false}) {
      Swarm swarm(240, bodies, static_cast<unsigned>(bodies));
      Stages stages;
      stages.list(swarm, kSkin, self);
      std::int64_t pairs = 0, lists = 0;
      for (int moment = 0; moment < 60; ++moment) {
        if (stages.candidates.is_outdated(alone, swarm.position)) {
          stages.list(swarm, kSkin, self);
          ++lists;
        }
        stages.find(swarm, GetParam());
        const Found expected = all_pairs(swarm, self, GetParam());
        ASSERT_EQ(num_pairs(stages.pairs), expected.pairs) << bodies << " bodies, moment " << moment;
        ASSERT_EQ(stored_energy(swarm.tets, stages.touching).value(), expected.stored);  // to the bit
        pairs += expected.pairs;
        // Alternately slow, and far in one step.
        swarm.move(moment % 20 == 19 ? 0.3 : 0.002);
      }
      EXPECT_EQ(pairs > (GetParam() == ContactCriterion::overlap_volume ? 1000 : 200), self || bodies > 1);
      EXPECT_GT(lists, 2);
      EXPECT_LT(lists, 40);
    }
}

TEST(OverlapStages, AListDoesNotMindThatAllMoveTogether) {
  const core::Comm alone(MPI_COMM_SELF);
  Swarm swarm(60, 1, 5);
  Stages stages;
  stages.list(swarm, 0.1, true);
  for (Vec3& x : swarm.position) x += Vec3(1000, -300, 20);
  EXPECT_FALSE(stages.candidates.is_outdated(alone, swarm.position));
  swarm.position.front().x() += 0.11;
  EXPECT_TRUE(stages.candidates.is_outdated(alone, swarm.position));
}

// VALIDATION E5: forces are minus the gradient of the stored energy.
TEST_P(Criteria, ForcesAreTheGradientOfTheEnergy) {
  Swarm swarm(60, 1, 5);
  Stages stages;
  stages.list(swarm, 0.1, true);
  const auto energy = [&] {
    stages.find(swarm, GetParam());
    return stored_energy(swarm.tets, stages.touching).value();
  };
  ASSERT_GT(energy(), 0);
  std::vector<Vec3> forces(swarm.position.size(), Vec3::Zero());
  for (const OverlapForce& node :
       stages.forces(swarm, swarm.nodes(), {.damping_ratio = 0, .friction = 0, .dt_s = 1e-6}))
    forces[static_cast<std::size_t>(node.slot)] = node.force;
  const double h = 1e-6;
  double largest = 0;
  for (std::size_t slot = 0; slot < swarm.position.size(); ++slot)
    for (int k = 0; k < 3; ++k) {
      double& x = swarm.position[slot][k];
      const double at = x;
      x = at + h;
      const double above = energy();
      x = at - h;
      const double below = energy();
      x = at;
      EXPECT_NEAR(-(above - below) / (2 * h), forces[slot][k], 1e-3);
      largest = std::max(largest, std::abs(forces[slot][k]));
    }
  EXPECT_GT(largest, 10);  // ten thousand times the error of the differences
}

TEST_P(Criteria, DampingAndFrictionKeepBothMomentaAndTakeEnergy) {
  Swarm swarm(120, 2, 9);
  Stages stages;
  stages.list(swarm, 0.1, true);
  stages.find(swarm, GetParam());
  ASSERT_GT(num_pairs(stages.pairs), 10);
  const auto forces_by = [&](const PairForceLaw& law) { return stages.forces(swarm, swarm.nodes(), law); };
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  double sum = 0, power = 0;
  for (const OverlapForce& node : forces_by({.damping_ratio = 0.2, .friction = 0.3, .dt_s = 1e-4})) {
    force += node.force;
    moment += swarm.position[static_cast<std::size_t>(node.slot)].cross(node.force);
    sum += node.force.norm();
    power += node.force.dot(swarm.velocity[static_cast<std::size_t>(node.slot)]);
  }
  for (const OverlapForce& node : forces_by({.damping_ratio = 0, .friction = 0, .dt_s = 1e-4}))
    power -= node.force.dot(swarm.velocity[static_cast<std::size_t>(node.slot)]);
  EXPECT_LT(force.norm(), 1e-13 * sum);
  EXPECT_LT(moment.norm(), 1e-12 * sum);
  EXPECT_LT(power, 0);
}

// Slip within the friction cone is stopped by the end of the step, whatever its present velocity.
TEST(OverlapStages, FrictionGoesByTheSlipExpectedAtTheEnd) {
  Swarm swarm(60, 1, 5);
  Stages stages;
  stages.list(swarm, 0.1, true);
  stages.find(swarm, ContactCriterion::overlap_volume);
  std::vector<OverlapNode> nodes = swarm.nodes();
  const auto friction_of = [&] {
    const auto forces = [&](double friction) {
      return stages.forces(swarm, nodes, {.damping_ratio = 0, .friction = friction, .dt_s = 1e-4});
    };
    const auto with = forces(1e9), without = forces(0);
    double difference = 0;
    for (std::size_t i = 0; i < with.size(); ++i) difference += (with[i].force - without[i].force).norm();
    return difference;
  };
  for (OverlapNode& node : nodes) node.expected_velocity = {1, 2, 3};  // they move together
  EXPECT_LT(friction_of(), 1e-9);
  for (OverlapNode& node : nodes) std::swap(node.expected_velocity, node.velocity);
  EXPECT_GT(friction_of(), 1);
}

}  // namespace
}  // namespace brisance::contact
