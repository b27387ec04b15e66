/// Invalid initial contacts, reported on every rank: what, where, and the remedy.
#include "brisance/core/error.hpp"
#include "brisance/sim/setup/start_checks.hpp"

#include "support/joined.hpp"
#include "support/over_ranks.hpp"
#include "support/simulated.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::joined;
using test::moved;
using testing::AllOf;
using testing::HasSubstr;

Scene touching_scene() {
  Scene scene = test::bare_scene(test::solid(1e6, 0.3, 1000));
  scene.contact.enabled = contact::ContactSwitch::on;
  scene.contact.criterion = contact::ContactCriterion::surface;
  scene.contact.restitution = 1;
  return scene;
}

std::string refusal(const std::function<void()>& attempt) {
  try {
    attempt();
  } catch (const core::Error& e) {
    return e.what();
  }
  return "";
}

/// A cube of 0.1 m, and one of this size with its lowest corner there.
mesh::TetMesh cubes(double size, const Vec3& at) {
  return joined(test::kuhn_box(4, 4, 4, 0.1, 0.1, 0.1), Vec3::Zero(),
                moved(test::kuhn_box(2, 2, 2, size, size, size), Mat3::Identity(), at), Vec3::Zero());
}

TEST(ContactInput, BodiesDeepInEachOtherAreRefused) {
  const auto start = [](double size, const Vec3& at) {
    return refusal([&] { Simulation(core::Comm(), touching_scene(), cubes(size, at), {}); });
  };
  const auto clear = AllOf(HasSubstr("in another body at the start"), HasSubstr("object.translation_m"));
  EXPECT_THAT(start(0.1, Vec3(0.08, 0.001, 0.002)), AllOf(clear, HasSubstr("more than half an edge, at (")));
  EXPECT_THAT(start(0.1, Vec3(0.03, 0.001, 0.002)), AllOf(clear, HasSubstr(" wholly, at (")));
  EXPECT_THAT(start(0.02, Vec3(0.041, 0.042, 0.043)), AllOf(clear, HasSubstr(" wholly, at (")));
  EXPECT_THAT(start(0.02, Vec3(0.041, 0.042, 0.043)), HasSubstr("26 nodes of the surface lie"));
  EXPECT_THAT(start(0.005, Vec3(0.001, 0.05, 0.05)),
              clear);  // small pieces that lie no deeper than half an edge, wholly
  EXPECT_THAT(start(0.1, Vec3::Zero()), AllOf(clear, HasSubstr(" wholly, at (")));  // in one place: no node is inside
  EXPECT_THAT(start(0.05, Vec3::Zero()), clear);                                    // faces in common
  EXPECT_EQ(start(0.1, Vec3(0.1, 0, 0)), "");                                       // face on face
  EXPECT_EQ(start(0.1, Vec3(0.098, 0.003, 0.004)), "");                             // by 2 mm of edges of 25 and 50
  EXPECT_EQ(start(0.05, Vec3(0.2, 0, 0)), "");
}

// A smaller initial overlap becomes the contact offset: no body is thrown out.
TEST(ContactInput, BodiesThatLieInEachOtherALittleStayThere) {
  Simulation simulation(core::Comm(), touching_scene(), cubes(0.1, Vec3(0.098, 0.003, 0.004)), {});
  test::run_until(simulation, 0.01);
  EXPECT_LT(simulation.energies().kinetic, 1e-20);
  EXPECT_LT(simulation.energies().contact, 1e-20);
}

TEST(ContactInput, StiffnessThatNoStepBearsIsRefused) {
  Scene scene = touching_scene();
  scene.time.step_safety = 0.9;
  scene.contact.stiffness_scale = 10;
  EXPECT_THAT(refusal([&] { static_cast<void>(scene_warnings(scene)); }),
              AllOf(HasSubstr("contact.stiffness_scale = 10"), HasSubstr("no step bears"), HasSubstr("steps bear 1.9"),
                    HasSubstr("Lower contact.stiffness_scale")));
  scene.contact.stiffness_scale = 2;
  EXPECT_THAT(scene_warnings(scene), testing::Contains(HasSubstr("contact.stiffness_scale = 2: contact may gain")));
  scene.contact.stiffness_scale = 1;
  EXPECT_THAT(scene_warnings(scene), testing::Not(testing::Contains(HasSubstr("stiffness_scale"))));
}

// The message differs from that about elements with short steps.
TEST(ContactInput, ColliderTooStiffForAnyStepIsNamed) {
  Scene scene = touching_scene();
  scene.time.min_step_s = 1e-9;
  contact::ColliderParameters soft, stiff;
  soft.name = "soft";
  stiff.name = "stiff";
  soft.position = stiff.position = Vec3(0, 0, -1);
  stiff.stiffness_n_per_m = 1e20;
  scene.colliders = {soft, stiff};
  Simulation simulation(core::Comm(), scene, cubes(0.05, Vec3(0.2, 0, 0)), {});
  EXPECT_THAT(refusal([&] { simulation.step(); }),
              AllOf(HasSubstr("collider \"stiff\""), HasSubstr("stiffness_n_per_m (now 1e+20"),
                    HasSubstr("below time.min_step_s"), testing::Not(HasSubstr("element"))));
}

}  // namespace
}  // namespace brisance::sim
