// Crack fronts in the nodes' fields, on any number of ranks: of plane cracks, round ones, slits and notches of the
// mesh.
#include "brisance/dist/check.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/fracture/fronts.hpp"
#include "brisance/fracture/rounds.hpp"

#include "support/digest.hpp"
#include "support/fracture_mesh.hpp"
#include "support/kuhn.hpp"
#include "support/plane_sweep.hpp"
#include "support/slit.hpp"
#include "support/topology.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include <gtest/gtest.h>

namespace brisance::fracture {
namespace {

using test::Plane, test::sweep;

dist::Mesh spread(const mesh::TetMesh& whole) {
  dist::Mesh mesh = dist::distribute(core::Comm(), whole, {}, {test::stone()}, test::with_fracture_fields());
  note_uncut_areas(mesh);
  note_fronts(mesh);
  return mesh;
}

/// Calls `visit(rest position, front, time of birth)` for each front node; returns how many there are on all ranks.
template <class Visit>
std::int64_t for_each_front(const dist::Mesh& mesh, const Visit& visit) {
  std::int64_t count = 0;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    if (const auto front = noted_front(mesh, n)) {
      visit(mesh.rest[n], *front, mesh.field(kFrontBorn)[n]);
      ++count;
    } else {
      EXPECT_EQ(mesh.field(kFrontBorn)[n], -1);
    }
  }
  return mesh.comm().sum(count);
}

TEST(Fronts, AMeshWithoutCracksHasNone) {
  const dist::Mesh mesh = spread(test::kuhn_box(3, 2, 2, 1.5, 1, 1));  // its edges are sharp, and not re-entrant
  EXPECT_EQ(for_each_front(mesh, [](auto&&...) {}), 0);
}

// A plate notched to x = 0.5: its front is that line, runs along z, and grows along x. It advances to 0.625 later.
TEST(Fronts, ANotchedPlatesFrontIsTheLineWhereTheNotchEnds) {
  dist::Mesh mesh = spread(test::kuhn_box(8, 8, 3, 1, 1, 0.375));
  Rounds rounds(mesh, {}, {}, {});
  const Plane plane{Vec3(0.5, 0.5, 0), Vec3::UnitY()};
  for (const double time_s : {0.5, 0.75}) {
    const double end = time_s == 0.5 ? 0.5 : 0.625;
    sweep(mesh, rounds, plane, 1e-9, time_s, [&](const Vec3& x) { return x.x() < end - 1e-9; });
    EXPECT_EQ(for_each_front(mesh,
                             [&](const Vec3& x, const Front& front, double born) {
                               EXPECT_NEAR(x.x(), end, 1e-12);
                               EXPECT_NEAR(x.y(), 0.5, 1e-12);
                               EXPECT_NEAR(front.tangent.z(), 1, 1e-12);
                               EXPECT_NEAR(front.growth.x(), 1, 1e-12);
                               EXPECT_EQ(born, time_s);
                             }),
              4);
  }
  sweep(mesh, rounds, plane, 1e-9, 1);  // in two: no crack, no front
  EXPECT_EQ(for_each_front(mesh, [](auto&&...) {}), 0);
}

// One node of a straight front advances: nodes ahead of it wait until a crack has had time to get there; the rest of
// the front, where the crack is already, does not wait again.
TEST(Fronts, OneNodeThatGoesOnDoesNotHoldBackItsFront) {
  dist::Mesh mesh = spread(test::kuhn_box(8, 8, 3, 1, 1, 0.375));
  Rounds rounds(mesh, {}, {}, {});
  const Plane plane{Vec3(0.5, 0.5, 0), Vec3::UnitY()};
  sweep(mesh, rounds, plane, 1e-9, 0, [&](const Vec3& x) { return x.x() < 0.5 - 1e-9; });
  const auto owned_at = [&](double x) {
    std::vector<LocalNode> found;
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      if (const LocalNode n(i); mesh.is_owned(n) && (mesh.rest[n] - Vec3(x, 0.5, mesh.rest[n].z())).norm() < 1e-9)
        found.push_back(n);
    return found;
  };
  constexpr double kLater = 1000;  // long after all waiting times of the first crack
  std::map<LocalNode, Failure> failing;
  for (const LocalNode n : owned_at(0.5))
    if (std::abs(mesh.rest[n].z() - 0.125) < 1e-9) failing[n] = {n, 1.5, plane.normal};
  for (std::int64_t round = 0; mesh.comm().any(!failing.empty()); ++round)
    rounds.crack_round(mesh, failing, kLater, 1, round);
  std::int64_t on_front = 0, ahead = 0;
  for (const LocalNode n : owned_at(0.5))
    if (std::abs(mesh.rest[n].z() - 0.125) > 1e-9) {
      ++on_front;
      EXPECT_LT(mesh.field(kReadyTime)[n], kLater + 1e-12);
    }
  const double speed = 0.6 * material::rayleigh_wave_speed(test::stone());
  for (const LocalNode n : owned_at(0.625))
    if (const double wait = mesh.field(kReadyTime)[n] - kLater; wait > 0) {
      ++ahead;
      EXPECT_NEAR(wait, (mesh.rest[n] - Vec3(0.5, 0.5, 0.125)).norm() / speed, 1e-9);
    }
  EXPECT_EQ(mesh.comm().sum(on_front), 3);
  EXPECT_GE(mesh.comm().sum(ahead), 1);
}

// A crack in an oblique plane, which cuts edges: its front stays near the plane, and its growth points along it, away
// from the cut part, on average: a front runs along edges of the mesh. Bridges that the sweep leaves uncut behind have
// fronts of their own, which do not count here.
TEST(Fronts, AnObliqueCracksFrontPointsAhead) {
  dist::Mesh mesh = spread(test::kuhn_box(10, 10, 10, 1, 1, 1));
  Parameters parameters;
  parameters.altitude_floor = 0.05;
  Rounds rounds(mesh, parameters, {}, {});
  const Plane plane{Vec3(0.5, 0.5, 0.5), Vec3(0.3, -0.2, 1).normalized()};
  for (const double reach : {1e-9, 0.02})
    sweep(mesh, rounds, plane, reach, 0.5, [](const Vec3& x) { return x.x() < 0.45; });
  const Vec3 ahead = (Vec3::UnitX() - plane.normal.x() * plane.normal).normalized();
  double sum = 0, counted = 0;
  const std::int64_t all = for_each_front(mesh, [&](const Vec3& x, const Front& front, double born) {
    EXPECT_LT(std::abs(plane.distance(x)), 0.02);
    EXPECT_EQ(born, 0.5);
    if (x.x() < 0.45) return;
    ++counted;
    sum += front.growth.dot(ahead);
  });
  const std::array<double, 2> mine{counted, sum};
  counted = sum = 0;
  for (const auto& of_rank : mesh.comm().all_gather(std::span<const std::array<double, 2>>(&mine, 1))) {
    counted += of_rank[0];
    sum += of_rank[1];
  }
  EXPECT_GT(counted, 10);
  EXPECT_GT(counted, 0.6 * static_cast<double>(all));
  EXPECT_GT(sum / counted, 0.7);
}

// A round crack inside: its front closes on itself, tangent along the circle, growth outwards.
TEST(Fronts, ARoundCrackGrowsOutwards) {
  dist::Mesh mesh = spread(test::kuhn_box(10, 10, 4, 1, 1, 0.4));
  Rounds rounds(mesh, {}, {}, {});
  const Vec3 centre(0.5, 0.5, 0.2);
  sweep(mesh, rounds, {centre, Vec3::UnitZ()}, 1e-9, 0.5, [&](const Vec3& x) { return (x - centre).norm() < 0.25; });
  const std::int64_t count = for_each_front(mesh, [&](const Vec3& x, const Front& front, double) {
    const Vec3 radial = (x - centre).normalized();
    EXPECT_NEAR(front.tangent.z(), 0, 1e-12);
    EXPECT_GT(front.growth.dot(radial), 0.8);
    EXPECT_LT(std::abs(front.tangent.dot(radial)), 0.6);
  });
  EXPECT_GT(count, 12);
}

// Notches of the uncut mesh: a slit is a crack, a notch of 2·atan(0.15) = 17° nearly, one of 62° is none.
TEST(Fronts, SlitsAndSharpNotchesOfTheMeshAreFronts) {
  for (const auto& [opening, expected] : {std::pair(0.0, 3), std::pair(0.15, 3), std::pair(0.6, 0)}) {
    const dist::Mesh mesh = spread(test::with_slit(
        test::kuhn_box(8, 8, 2, 1, 1, 0.25), 0.5, [](const Vec3& x) { return x.x() < 0.5 - 1e-9; }, opening, 0.5));
    EXPECT_EQ(for_each_front(mesh,
                             [&](const Vec3& x, const Front& front, double born) {
                               EXPECT_NEAR((x - Vec3(0.5, 0.5, x.z())).norm(), 0, 1e-12);
                               EXPECT_NEAR(front.growth.x(), 1, 1e-12);
                               EXPECT_EQ(born, 0);
                             }),
              expected)
        << opening;
  }
}

// The nodes' fields agree with their stars, through every later cut; the same on any number of ranks.
TEST(Fronts, StayRightWhileTheMeshIsCutOnAndOn) {
  const auto run = [](const core::Comm& comm) {
    dist::Mesh mesh =
        dist::distribute(comm, test::kuhn_box(6, 6, 6, 1, 1, 1), {}, {test::stone()}, test::with_fracture_fields());
    note_uncut_areas(mesh);
    note_fronts(mesh);
    Rounds rounds(mesh, {}, {}, {});
    std::int64_t fronts = 0;
    for (int k = 0; k < 4; ++k) {
      const Plane plane{Vec3(0.3 + 0.1 * k, 0.45, 0.5), Vec3(0.4 * k - 0.5, 1, 0.3 * k - 0.2).normalized()};
      sweep(mesh, rounds, plane, 0.02, k, [&](const Vec3& x) { return (x - plane.point).norm() < 0.4; });
      fronts = 0;
      for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
        const LocalNode n(i);
        if (!mesh.is_owned(n)) continue;
        const auto noted = noted_front(mesh, n), seen = front_at(mesh, n);
        EXPECT_EQ(noted.has_value(), seen.has_value());
        if (!noted || !seen) continue;
        ++fronts;
        EXPECT_EQ(noted->tangent, seen->tangent);
        EXPECT_EQ(noted->growth, seen->growth);
        EXPECT_GE(mesh.field(kFrontBorn)[n], 0);
        EXPECT_LE(mesh.field(kFrontBorn)[n], k);
      }
      EXPECT_GT(mesh.comm().sum(fronts), 20);
    }
    return test::digest(mesh);
  };
  EXPECT_EQ(run(core::Comm()), run(core::Comm(MPI_COMM_SELF)));
}

/// Result of a kink by this angle at the front of a slit.
struct Kinked {
  std::int64_t cracks, back_cracks;
  double crack_area_behind,
      crack_area_ahead;  ///< of the new faces with their middle behind and ahead of the front [m²]
};

Kinked kinked(double degrees, bool suppress) {
  dist::Mesh mesh = spread(
      test::with_slit(test::kuhn_box(8, 8, 2, 1, 1, 0.25), 0.5, [](const Vec3& x) { return x.x() < 0.5 - 1e-9; }));
  Parameters parameters;
  parameters.suppress_back_cracking = suppress;
  parameters.check_invariants = true;
  Rounds rounds(mesh, parameters, {}, {});
  const double angle = degrees * std::numbers::pi / 180;
  std::map<LocalNode, Failure> failing;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n) && noted_front(mesh, n))
      failing[n] = {n, 1.5, Vec3(-std::sin(angle), std::cos(angle), 0)};
  for (std::int64_t round = 0; mesh.comm().any(!failing.empty()); ++round)
    rounds.crack_round(mesh, failing, 0.5, 1, round);
  EXPECT_TRUE(dist::check_mesh(mesh).empty());
  Kinked result{mesh.comm().sum(rounds.counters().cracks), mesh.comm().sum(rounds.counters().back_cracks), 0, 0};
  EXPECT_EQ(mesh.comm().sum(rounds.counters().cracks_at_fronts), result.cracks);
  for (const auto& f : test::topology(test::whole_mesh(mesh)).surface) {
    if (!f.is_crack) continue;
    const double x = (f.rest[0].x() + f.rest[1].x() + f.rest[2].x()) / 3;
    (x < 0.5 ? result.crack_area_behind : result.crack_area_ahead) += f.area().norm();
  }
  return result;
}

// VALIDATION C10, figure 12: a plane that turns by more than half the angle of the tip cuts back into the crack faces;
// with suppression the crack grows only ahead. Straight on there is nothing to suppress.
TEST(Fronts, C10BackCrackingIsCountedAndSuppressed) {
  for (const double degrees : {0.0, 20.0, -45.0, 45.0, -70.5, 70.5}) {
    SCOPED_TRACE(degrees);
    const Kinked off = kinked(degrees, false), on = kinked(degrees, true);
    EXPECT_GT(off.cracks, 0);
    EXPECT_GT(on.cracks, 0);
    EXPECT_EQ(on.back_cracks, 0);
    EXPECT_EQ(on.crack_area_behind, 0);
    EXPECT_GT(on.crack_area_ahead, 0.01);
    if (degrees == 0) {
      EXPECT_EQ(off.back_cracks, 0);
      EXPECT_NEAR(off.crack_area_ahead, on.crack_area_ahead, 1e-12);
    }
    if (std::abs(degrees) > 40) {
      EXPECT_GT(off.back_cracks, 0);
      EXPECT_GT(off.crack_area_behind, 0.001);
    }
  }
}

// Two moments of a fold that rotates: the front rotates with it.
TEST(Fronts, PresentFrontTurnsWithTheBody) {
  dist::Mesh mesh = spread(
      test::with_slit(test::kuhn_box(4, 4, 1, 1, 1, 0.25), 0.5, [](const Vec3& x) { return x.x() < 0.5 - 1e-9; }));
  const Mat3 turn = Eigen::AngleAxisd(1.1, Vec3(1, 2, -0.5).normalized()).toRotationMatrix();
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_used(n)) {
      const Vec3 at = turn * (Vec3(1.02, 0.99, 1).asDiagonal() * mesh.rest[n]);
      for (int k = 0; k < 3; ++k) mesh.motion[n].position[k] = at[k];
    }
  int seen = 0;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n) && noted_front(mesh, n)) {
      const auto front = present_front(mesh, n);
      ASSERT_TRUE(front.has_value());
      EXPECT_NEAR((front->growth - turn * Vec3::UnitX()).norm(), 0, 1e-12);
      EXPECT_NEAR(std::abs(front->tangent.dot(turn * Vec3::UnitZ())), 1, 1e-12);
      ++seen;
    }
  EXPECT_EQ(mesh.comm().sum(std::int64_t{seen}), 2);
}

}  // namespace
}  // namespace brisance::fracture
