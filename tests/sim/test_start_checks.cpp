// Unusual initial states of a scene are reported, or refused, before the first step.
#include "brisance/core/error.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"
#include "brisance/sim/setup/start_checks.hpp"
#include "brisance/sim/simulation.hpp"

#include "support/simulated.hpp"

#include <gmock/gmock.h>

namespace brisance::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A cube of 0.2 m whose pressure waves run at 100 m/s, `height` above the ground.
Scene cube_on_ground(double height) {
  Scene scene = test::bare_scene(test::solid(1e7, 0, 1000));
  ObjectParameters cube;
  cube.name = "cube";
  cube.material = "solid";
  cube.mesh.size = Vec3::Constant(0.2);
  cube.mesh.target_tets = 50;
  cube.drop_to_height_m = height;
  scene.objects = {cube};
  contact::ColliderParameters ground;
  ground.name = "ground";
  scene.colliders = {ground};
  return scene;
}

std::vector<std::string> warnings(const Scene& scene) {
  const core::Comm comm(MPI_COMM_WORLD);
  std::vector<std::string> found;
  for (std::string& line : build_initial_mesh(comm, scene).report)
    if (line.starts_with("warning: ")) found.push_back(std::move(line));
  return found;
}

TEST(StartChecks, AnOrdinarySceneIsNotRemarkedUpon) { EXPECT_THAT(warnings(cube_on_ground(-0.01)), IsEmpty()); }

TEST(StartChecks, ObjectsThatDoNotMeetAreMentioned) {
  Scene scene = cube_on_ground(0);
  scene.contact.enabled = contact::ContactSwitch::automatic;
  scene.objects.push_back(scene.objects.front());
  EXPECT_THAT(warnings(scene), ElementsAre());  // they are in contact with each other
  scene.contact.enabled = contact::ContactSwitch::off;
  EXPECT_THAT(warnings(scene), ElementsAre(HasSubstr("the 2 objects of the scene do not meet each other")));
}

TEST(StartChecks, ObjectsMeetEachOtherAndPiecesOfOneMeet) {
  Scene scene = cube_on_ground(0);
  scene.contact.enabled = contact::ContactSwitch::automatic;
  EXPECT_FALSE(bodies_touch(scene));
  scene.materials.front().toughness = 1;
  EXPECT_TRUE(bodies_touch(scene));
  for (const auto integrator : {dynamics::Integrator::implicit_euler, dynamics::Integrator::hht}) {
    scene.time.integrator = integrator;
    scene.objects.resize(1);
    EXPECT_FALSE(bodies_touch(scene));
    scene.objects.push_back(scene.objects.front());
    EXPECT_TRUE(bodies_touch(scene));
  }
  scene.time.integrator = dynamics::Integrator::statics;
  EXPECT_FALSE(bodies_touch(scene));
  scene.time.integrator = dynamics::Integrator::symplectic_euler;
  EXPECT_TRUE(bodies_touch(scene));
  scene.objects.resize(1);
  scene.fracture.enabled = false;
  EXPECT_FALSE(bodies_touch(scene));
  scene.contact.enabled = contact::ContactSwitch::on;
  EXPECT_TRUE(bodies_touch(scene));
}

TEST(StartChecks, AGrainOfWhatIsAlikeAlongAnyAxisIsMentioned) {
  Scene scene = cube_on_ground(-0.01);
  scene.materials.front().grain = Vec3(0, 0, 1);
  EXPECT_THAT(warnings(scene), ElementsAre(HasSubstr("is the same along any")));
  scene.materials.front().strength_ratio = Vec3(1, 0.5, 0.5);
  EXPECT_THAT(warnings(scene), IsEmpty());
}

TEST(StartChecks, AStartDeepInsideAColliderIsMentionedOneWhollyInsideRefused) {
  EXPECT_THAT(warnings(cube_on_ground(-0.05)),
              ElementsAre("warning: object \"cube\" starts up to 0.05 m deep inside collider \"ground\": contact will "
                          "throw it out."));
  try {
    (void)warnings(cube_on_ground(-100));
    FAIL() << "no error";
  } catch (const core::BadInput& e) {
    EXPECT_THAT(e.what(), HasSubstr("object \"cube\" starts wholly inside collider \"ground\", up to 100 m deep"));
  }
}

TEST(StartChecks, SpeedsFarAboveThatOfPressureWavesAreMentioned) {
  Scene scene = cube_on_ground(0);
  scene.objects[0].velocity = Vec3(0, 0, -1001);
  contact::ColliderParameters ball;
  ball.name = "ball";
  ball.shape = contact::ColliderShape::sphere;
  ball.motion = contact::ColliderMotion::path;
  ball.radius_m = 0.1;
  ball.path = {{0, Vec3(1, 0, 1), Eigen::Quaterniond::Identity()},
               {1e-9, Vec3(6, 0, 1), Eigen::Quaterniond::Identity()}};
  scene.colliders.push_back(ball);
  scene.regions = {test::grip({true, true, true}, Vec3(0, 999, 0))};  // not quite ten times
  scene.regions[0].high = Vec3::Constant(1);
  EXPECT_THAT(warnings(scene),
              ElementsAre(HasSubstr("collider \"ball\" moves at 5e+09 m/s, 5e+07 times the speed of pressure waves"),
                          HasSubstr("object \"cube\" moves at 1e+03 m/s, 10 times")));
}

TEST(StartChecks, AFreeBodyInsideAnotherIsBadInput) {
  Scene scene = cube_on_ground(0);
  contact::ColliderParameters ball;
  ball.name = "ball";
  ball.shape = contact::ColliderShape::sphere;
  ball.motion = contact::ColliderMotion::free;
  ball.radius_m = 0.1;
  ball.mass_kg = 1;
  ball.position = Vec3(3, 0, 0);
  scene.colliders.push_back(ball);
  EXPECT_THROW((void)warnings(scene), core::BadInput);
}

}  // namespace
}  // namespace brisance::sim
