// What is found by boxes, trees and remembered gaps against every pair looked at anew.
#include "brisance/contact/deformable_contact.hpp"

#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

constexpr double kStiffness = 1e5;

Pressing pressing(const DeformableContact::Pressed& tet) { return {tet.overlap / tet.volume, {kStiffness}}; }

/// Tets that fly about, four nodes each, and some that hang together by a node.
class Swarm {
public:
  Swarm(int num_tets, int num_bodies, unsigned seed) : random_(seed), num_bodies_(num_bodies) {
    for (int i = 0; i < num_tets; ++i) add(i);
  }

  void move(double dt) {
    for (std::size_t slot = 0; slot < motion.size(); ++slot)
      for (int k = 0; k < 3; ++k) motion[slot].position[k] += dt * motion[slot].velocity[k];
  }
  [[nodiscard]] PlacedTet placed(std::size_t t) const {
    std::array<Vec3, 4> corner;
    for (std::size_t k = 0; k < 4; ++k) corner[k] = Vec3(motion[static_cast<std::size_t>(tets[t].slot[k])].position);
    return placed_tet(corner);
  }
  void tell(DeformableContact& contact) const {
    for (std::size_t t = 0; t < tets.size(); ++t) contact.put(tets[t], motion, depths(t));
  }
  /// Crumbs: what they are cut from is not there any more.
  [[nodiscard]] TetDepths depths(std::size_t t) const {
    TetDepths crumb;
    crumb.area = std::pow(tets[t].volume, 2.0 / 3);
    crumb.depth[15] = 0.1 * std::cbrt(tets[t].volume);
    for (std::size_t k = 0; k < 4; ++k) crumb.node_mass[k] = 1 + static_cast<double>(tets[t].slot[k] % 7);
    return crumb;
  }

  std::vector<SkinTet> tets;
  std::vector<dist::NodeMotion> motion;

private:
  void add(int i) {
    std::uniform_real_distribution<double> coordinate(-1, 1);
    const auto random = [&] { return Vec3(coordinate(random_), coordinate(random_), coordinate(random_)); };
    SkinTet tet;
    tet.id = GlobalElement(3 * i + 1);
    tet.body = i % num_bodies_;
    tet.cluster = 4 * tet.body + i / num_bodies_ % 4;
    tet.is_home = true;
    const Vec3 bulk = 3 * Vec3(std::cos(tet.body), std::sin(tet.body), 0), own = random();  // bodies fly together
    const Vec3 middle = 2 * random();
    std::array<Vec3, 4> corner;
    do
      for (Vec3& x : corner) x = middle + 0.5 * random();
    while (placed_tet(corner).volume < 0.01);
    for (std::size_t k = 0; k < 4; ++k) {
      const bool shared = k == 0 && i >= num_bodies_ && i % 3 == 0;  // with the one before in the body
      if (shared) {
        const SkinTet& other = tets[static_cast<std::size_t>(i - num_bodies_)];
        tet.node[k] = other.node[0];
        tet.slot[k] = other.slot[0];
        continue;
      }
      tet.slot[k] = static_cast<std::int32_t>(motion.size());
      tet.node[k] = GlobalNode(tet.slot[k]);
      const Vec3 velocity = bulk + own + 0.1 * random();
      motion.push_back(
          {{corner[k].x(), corner[k].y(), corner[k].z(), 0}, {velocity.x(), velocity.y(), velocity.z(), 0}});
    }
    tet.volume = placed_tet(corner).volume;
    tet.mass = 1000 * tet.volume;
    tets.push_back(tet);
  }

  std::mt19937 random_;
  int num_bodies_;
};

struct Found {
  std::int64_t pairs = 0;
  double stored = 0;
};

/// How much others are in each of the two: the same where volumes count.
std::pair<double, double> shared(const Swarm& swarm, std::size_t a, std::size_t b, ContactCriterion criterion) {
  const PlacedTet p = swarm.placed(a), q = swarm.placed(b);
  if (!(p.volume > 0 && q.volume > 0)) return {0, 0};
  if (criterion == ContactCriterion::node_penetration)
    return {nodes_inside(p, swarm.depths(a), q, swarm.depths(b)).volume,
            nodes_inside(q, swarm.depths(b), p, swarm.depths(a)).volume};
  if (face_gap(p, q).width >= 0) return {0, 0};
  TetOverlap overlap = tet_overlap(p, q);
  if (!take_sliver_off(overlap, kSliverShare * std::min(swarm.tets[a].volume, swarm.tets[b].volume))) return {0, 0};
  return {overlap.volume, overlap.volume};
}

Found all_pairs(const Swarm& swarm, bool self, ContactCriterion criterion) {
  std::vector<double> sum(swarm.tets.size(), 0);
  Found found;
  for (std::size_t a = 0; a < swarm.tets.size(); ++a)
    for (std::size_t b = a + 1; b < swarm.tets.size(); ++b) {
      const SkinTet &s = swarm.tets[a], &t = swarm.tets[b];
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
    stored.add(volume * OverlapLaw{kStiffness}.energy_density(sum[t] / volume));
  }
  found.stored = stored.value();
  return found;
}

class Criteria : public testing::TestWithParam<ContactCriterion> {};
INSTANTIATE_TEST_SUITE_P(DeformableContact, Criteria,
                         testing::Values(ContactCriterion::overlap_volume, ContactCriterion::node_penetration),
                         [](const auto& criterion) {
                           return criterion.param == ContactCriterion::overlap_volume ? "Volume" : "Nodes";
                         });

TEST_P(Criteria, FindsWhatAllPairsGiveWhileEverythingFlies) {
  for (const int bodies : {1, 3, 40})
    for (const bool self : {true, false}) {
      Swarm swarm(240, bodies, static_cast<unsigned>(bodies));
      DeformableParameters parameters;
      parameters.criterion = GetParam();
      parameters.self = self;
      DeformableContact contact{core::Comm(MPI_COMM_SELF), parameters};
      swarm.tell(contact);
      std::int64_t pairs = 0;
      for (int moment = 0; moment < 60; ++moment) {
        contact.find(swarm.motion, pressing);
        const Found expected = all_pairs(swarm, self, GetParam());
        ASSERT_EQ(contact.report().pairs, expected.pairs) << bodies << " bodies, moment " << moment;
        ASSERT_EQ(contact.stored().value(), expected.stored);  // to the bit
        pairs += expected.pairs;
        // Now slow, now far in one step.
        swarm.move(moment % 20 == 19 ? 0.3 : 0.002);
      }
      EXPECT_EQ(pairs > (GetParam() == ContactCriterion::overlap_volume ? 1000 : 200), self || bodies > 1);
      // Most pairs were not looked at most of the time.
      EXPECT_LT(contact.report().looked, 60 * 240 * 239 / 2 / 2);  // those that overlap count ten times
    }
}

TEST_P(Criteria, TetsComeAndGo) {
  Swarm swarm(200, 2, 7);
  DeformableParameters parameters;
  parameters.criterion = GetParam();
  DeformableContact contact{core::Comm(MPI_COMM_SELF), parameters};
  swarm.tell(contact);
  std::mt19937 random(3);
  bool some_went_with_pairs = false, some_went_alone = false;
  for (int moment = 0; moment < 40; ++moment) {
    for (int i = 0; i < 3; ++i) {  // the last of the list takes the place of one that goes
      const std::size_t gone = random() % swarm.tets.size();
      contact.remove(swarm.tets[gone].id);
      swarm.tets.erase(swarm.tets.begin() + static_cast<std::ptrdiff_t>(gone));
    }
    // A corner moves, as by a cut, and what is left of the tet may be nearer to others.
    const auto cut_one = [&] {
      const std::size_t cut = random() % swarm.tets.size();
      SkinTet& smaller = swarm.tets[cut];
      const auto fresh = static_cast<std::int32_t>(swarm.motion.size());
      dist::NodeMotion middle = swarm.motion[static_cast<std::size_t>(smaller.slot[2])];
      for (int k = 0; k < 3; ++k)
        middle.position[k] =
            0.5 * (middle.position[k] + swarm.motion[static_cast<std::size_t>(smaller.slot[3])].position[k]);
      swarm.motion.push_back(middle);
      smaller.slot[2] = fresh;
      smaller.node[2] = GlobalNode(fresh);
      smaller.cluster = 4 * smaller.body + static_cast<std::int64_t>(random() % 6);
      contact.put(smaller, swarm.motion, swarm.depths(cut));
    };
    cut_one();
    contact.find(swarm.motion, pressing);
    ASSERT_EQ(contact.stored().value(), all_pairs(swarm, true, GetParam()).stored) << moment;
    for (int i = 0; i < 3; ++i) cut_one();
    contact.put(swarm.tets[0], swarm.motion, swarm.depths(0));  // as it was
    contact.find_again(swarm.motion, pressing);
    const auto expected = all_pairs(swarm, true, GetParam());
    ASSERT_EQ(contact.stored().value(), expected.stored) << moment << ", after cuts";
    // The law is asked again where pairs are others than those it was asked for, and only there.
    bool was_asked = false;
    const auto noticed = [&](const DeformableContact::Pressed& tet) {
      was_asked = true;
      return pressing(tet);
    };
    ASSERT_FALSE(contact.find_again(swarm.motion, noticed, false));
    contact.remove(swarm.tets.back().id);
    swarm.tets.pop_back();
    const auto fewer = all_pairs(swarm, true, GetParam());
    ASSERT_EQ(contact.find_again(swarm.motion, noticed, false), fewer.pairs < expected.pairs) << moment;
    ASSERT_EQ(was_asked, fewer.pairs < expected.pairs) << moment;
    ASSERT_EQ(contact.stored().value(), fewer.stored) << moment;
    (was_asked ? some_went_with_pairs : some_went_alone) = true;
    swarm.move(0.01);
  }
  EXPECT_TRUE(some_went_with_pairs && some_went_alone);
}

/// Without friction and damping.
DeformableContact conservative(ContactCriterion criterion) {
  DeformableParameters parameters;
  parameters.criterion = criterion;
  parameters.friction = 0;
  parameters.restitution = 1;
  return {core::Comm(MPI_COMM_SELF), parameters};
}

// VALIDATION E5: forces are minus the gradient of what is stored.
TEST_P(Criteria, ForcesAreTheGradientOfTheEnergy) {
  Swarm swarm(60, 1, 5);
  DeformableContact contact = conservative(GetParam());
  swarm.tell(contact);
  const auto energy = [&] {
    contact.find(swarm.motion, pressing);
    return contact.stored().value();
  };
  std::vector<dist::NodeForce> forces(swarm.motion.size(), dist::NodeForce{});
  const std::vector<double> inverse_mass(swarm.motion.size(), 1.0);
  ASSERT_GT(energy(), 0);
  contact.add_forces(swarm.motion, inverse_mass, 1e-6, forces);
  const double h = 1e-6;
  double largest = 0;
  for (std::size_t slot = 0; slot < swarm.motion.size(); ++slot)
    for (int k = 0; k < 3; ++k) {
      double& x = swarm.motion[slot].position[k];
      const double at = x;
      x = at + h;
      const double above = energy();
      x = at - h;
      const double below = energy();
      x = at;
      EXPECT_NEAR(-(above - below) / (2 * h), forces[slot].force[k], 1e-3);
      largest = std::max(largest, std::abs(forces[slot].force[k]));
    }
  EXPECT_GT(largest, 10);  // ten thousand times what differences may be off
}

// Several clocks: a tet's pressure changes with its nodes and those of all that lie in it, in the steps of the finest
// of them.
TEST_P(Criteria, PressuresInShortStepsAreThoseOfTheEnergy) {
  Swarm swarm(60, 1, 5);
  DeformableContact contact = conservative(GetParam());
  swarm.tell(contact);
  const auto class_of = [](GlobalElement id) { return static_cast<std::int32_t>(1 + id.value % 4); };
  std::map<GlobalElement, double> pressed;
  const auto find = [&] {
    pressed.clear();
    contact.find(swarm.motion, [&](const DeformableContact::Pressed& tet) {
      Pressing answer = pressing(tet);
      answer.step_class = class_of(tet.id);
      answer.share = answer.pressed;
      pressed[tet.id] = answer.pressed;
      return answer;
    });
  };
  find();
  const auto there = pressed;
  ShortPressures found;
  contact.short_pressures([](std::int32_t slot) { return NodeAtOwner{0, slot}; }, found);
  ASSERT_EQ(found.rows.size(), there.size());
  std::vector<dist::NodeForce> forces(swarm.motion.size(), dist::NodeForce{});
  const std::vector<double> inverse_mass(swarm.motion.size(), 1.0);
  contact.add_forces(swarm.motion, inverse_mass, 1e-6, forces);
  for (dist::NodeMotion& node : swarm.motion)
    for (int k = 0; k < 3; ++k) node.velocity[k] *= 1e-6;
  swarm.move(1);
  find();
  double largest = 0;
  for (const ShortPressures::Row& row : found.rows) {
    int finest = class_of(row.tet);
    double change = 0;
    for (const ShortPressures::Entry& entry : found.of(row)) {
      const auto slot = static_cast<std::size_t>(entry.slot_at_owner);
      EXPECT_EQ(entry.node, GlobalNode(entry.slot_at_owner));
      change += entry.gradient.dot(Vec3(swarm.motion[slot].velocity));
      for (int k = 0; k < 3; ++k)
        forces[slot].force[k] +=
            ShortPressures::first_push(row.law, row.pressed(), row.step_class, {}) * entry.gradient[k];
      for (const SkinTet& tet : swarm.tets)  // but for node 0 of some, a node is of one tet
        if (tet.slot[1] == entry.slot_at_owner) finest = std::max(finest, class_of(tet.id));
    }
    EXPECT_EQ(row.step_class, finest);
    EXPECT_EQ(row.pressed(), there.at(row.tet));
    if (!pressed.contains(row.tet)) continue;
    EXPECT_NEAR(row.slope * change, pressed.at(row.tet) - row.pressed(), 1e-8);  // to second order
    largest = std::max(largest, std::abs(row.slope * change));
  }
  EXPECT_GT(largest, 1e-7);
  for (const dist::NodeForce& node : forces)  // all of what acted were these pressures
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(node.force[k], 0, 1e-9);
}

TEST_P(Criteria, DampingAndFrictionKeepBothMomentaAndTakeEnergy) {
  Swarm swarm(120, 2, 9);
  DeformableParameters parameters;
  parameters.criterion = GetParam();
  DeformableContact contact{core::Comm(MPI_COMM_SELF), parameters};
  swarm.tell(contact);
  contact.find(swarm.motion, pressing);
  ASSERT_GT(contact.report().pairs, 10);
  std::vector<dist::NodeForce> forces(swarm.motion.size(), dist::NodeForce{});
  contact.add_forces(swarm.motion, std::vector<double>(swarm.motion.size(), 1.0), 1e-4, forces);
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  double sum = 0;
  for (std::size_t slot = 0; slot < forces.size(); ++slot) {
    const Vec3 f(forces[slot].force);
    force += f;
    moment += Vec3(swarm.motion[slot].position).cross(f);
    sum += f.norm();
  }
  EXPECT_LT(force.norm(), 1e-13 * sum);
  EXPECT_LT(moment.norm(), 1e-12 * sum);
  EXPECT_GT(contact.dissipated(swarm.motion, 1e-4).value(), 0);
}

}  // namespace
}  // namespace brisance::contact
