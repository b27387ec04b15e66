// Profiles, blasts and impulses in closed form; loads that act on nothing are refused before a run.
#include "brisance/core/error.hpp"
#include "brisance/sim/loads/loads.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"
#include "brisance/sim/simulation.hpp"

#include "support/simulated.hpp"

#include <cmath>

#include <gmock/gmock.h>

namespace brisance::sim {
namespace {

using ::testing::HasSubstr;

TEST(LoadLaws, AProfileIsLinearBetweenItsPairsAndConstantOutside) {
  LoadParameters load;
  load.profile = {{1, 10}, {2, 30}, {4, 0}};
  EXPECT_DOUBLE_EQ(mean_pressure(load, 0, 0, 0.5), 10);
  EXPECT_DOUBLE_EQ(mean_pressure(load, 0, 1, 1), 20);
  EXPECT_DOUBLE_EQ(mean_pressure(load, 0, 1.4, 0.2), 20);
  EXPECT_DOUBLE_EQ(mean_pressure(load, 0, 0, 5), (10 + 20 + 30 + 0) / 5.0);
  EXPECT_DOUBLE_EQ(mean_pressure(load, 0, 3.5, 1), 0.5 * 7.5 / 2);
  EXPECT_EQ(mean_pressure(load, 0, 4, 1), 0);
}

// p = p_s (1 − t/t_d) exp(−b t/t_d), by a sum over thin slices.
TEST(LoadLaws, ABlastIsFriedlandersFromItsArrival) {
  LoadParameters load;
  load.kind = LoadKind::blast;
  load.start_s = 0.5e-3;
  load.peak_pressure_pa = 1e5;
  load.positive_phase_s = 2e-3;
  load.reference_distance_m = 0.5;
  load.falloff = 2;
  for (const double b : {0.0, 0.01, 1.5}) {
    load.decay = b;
    load.has_negative_phase = b > 0;
    const double arrival_s = 0.5e-3 + 2.0 / 340, p = 1e5 / 16;  // at 2 m
    EXPECT_EQ(mean_pressure(load, 2, 0, arrival_s - 1e-9), 0);
    EXPECT_NEAR(mean_pressure(load, 2, arrival_s, 1e-9), p, 1e-4 * p);
    EXPECT_NEAR(mean_pressure(load, 0.1, load.start_s + 0.1 / 340, 1e-9), 1e5, 10);
    double sum = 0;
    constexpr int kSlices = 100000;
    const double until_s = 3e-3;
    for (int i = 0; i < kSlices; ++i) {
      const double u = (i + 0.5) / kSlices * until_s / load.positive_phase_s;
      if (u < 1 || load.has_negative_phase) sum += p * (1 - u) * std::exp(-b * u) / kSlices;
    }
    EXPECT_NEAR(mean_pressure(load, 2, arrival_s, until_s), sum, 1e-6 * p) << "b = " << b;
    EXPECT_NEAR(mean_pressure(load, 2, arrival_s - until_s, 2 * until_s), 0.5 * sum, 1e-6 * p) << "b = " << b;
  }
  load.decay = 1;
  EXPECT_LT(mean_pressure(load, 2, 0.02, 1e-3), 0);
  load.has_negative_phase = false;
  EXPECT_EQ(mean_pressure(load, 2, 0.02, 1e-3), 0);
  load.wave_speed_m_s = std::numeric_limits<double>::infinity();
  EXPECT_GT(mean_pressure(load, 2, 0.5e-3, 1e-6), 0);
}

TEST(LoadLaws, AnImpulsePointsAwayAndFallsWithTheDistance) {
  LoadParameters load;
  load.kind = LoadKind::impulse;
  load.point = Vec3(1, 0, 0);
  load.speed_m_s = 4;
  load.reference_distance_m = 0.5;
  load.falloff = 3;
  EXPECT_EQ(impulse_velocity(load, Vec3(1, 0, 0)), Vec3(0, 0, 0));
  EXPECT_NEAR((impulse_velocity(load, Vec3(1, 0.3, 0)) - Vec3(0, 4, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((impulse_velocity(load, Vec3(0, 0, 0)) - Vec3(-0.5, 0, 0)).norm(), 0, 1e-15);
}

/// A hollow ball around the origin, and what is said of one load on it; empty if it is taken.
std::string complaint(const LoadParameters& load) {
  Scene scene = test::bare_scene(test::solid(1e7, 0.3, 1000));
  ObjectParameters ball;
  ball.material = "solid";
  ball.mesh.shape = mesh::ShapeKind::hollow_ball;
  ball.mesh.radius_m = 0.2, ball.mesh.thickness_m = 0.08;
  ball.mesh.target_tets = 500;
  scene.objects = {ball};
  scene.loads = {load};
  try {
    (void)build_initial_mesh(core::Comm(), scene);
  } catch (const core::BadInput& e) {
    return e.what();
  }
  return "";
}

TEST(LoadLaws, WhatActsOnNothingIsRefused) {
  LoadParameters load;
  load.name = "push";
  EXPECT_EQ(complaint(load), "");
  load.shape = LoadShape::box;
  load.low = Vec3(5, 5, 5), load.high = Vec3(6, 6, 6);
  EXPECT_THAT(complaint(load), HasSubstr("[[load]] \"push\": its box holds no middle of a face"));
  load.kind = LoadKind::impulse;
  EXPECT_THAT(complaint(load), HasSubstr("[[load]] \"push\": its box holds no node"));
  load.kind = LoadKind::pressure;
  load.shape = LoadShape::group;
  load.group = "lid";
  EXPECT_THAT(complaint(load), HasSubstr("no face of the surface has the group \"lid\". Groups of faces: cavity."));
  load.group = "cavity";
  EXPECT_EQ(complaint(load), "");
}

TEST(LoadLaws, ABlastInsideABodyIsRefusedOneInItsCavityIsNot) {
  LoadParameters load;
  load.kind = LoadKind::blast;
  EXPECT_EQ(complaint(load), "");
  load.point = Vec3(0.15, 0.01, 0.02);
  EXPECT_THAT(complaint(load), HasSubstr("the blast begins inside a body"));
}

}  // namespace
}  // namespace brisance::sim
