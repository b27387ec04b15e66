#include "brisance/core/error.hpp"

#include "plates.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

using test::append;
using test::box_snapshot;

/// Largest |coordinate| of the frame's nodes in the picture; 1 is its edge.
double farthest_out(const io::Snapshot& snapshot, const Camera& camera, int width, int height) {
  double farthest = 0;
  for (const Vec3& x : snapshot.part.position) {
    const auto [u, v] = project(camera, x, width, height);
    EXPECT_TRUE(std::isfinite(u) && std::isfinite(v));
    farthest = std::max({farthest, std::abs(u), std::abs(v)});
  }
  return farthest;
}

TEST(Camera, FramingShowsEveryNodeAndTouchesTheMargin) {
  for (const auto& [azimuth, elevation, width, height] :
       {std::array{32.0, 24.0, 960.0, 720.0}, std::array{-120.0, 70.0, 300.0, 900.0},
        std::array{200.0, -10.0, 64.0, 64.0}}) {
    Options options;
    options.view.azimuth_deg = azimuth;
    options.view.elevation_deg = elevation;
    Framing framing(options.view, static_cast<int>(width), static_cast<int>(height));
    const io::Snapshot start = box_snapshot(Vec3(0, 0, 3), Vec3(1, 0.2, 0.5));
    const io::Snapshot end = box_snapshot(Vec3(2, -1, 0.25), Vec3(1, 0.2, 0.5));
    add_to_framing(framing, start, options);
    add_to_framing(framing, end, options);
    const Camera camera = framing.camera();
    const double farthest =
        std::max(farthest_out(start, camera, width, height), farthest_out(end, camera, width, height));
    EXPECT_NEAR(farthest, 1 - options.view.margin, 1e-9);
  }
}

TEST(Camera, DustDoesNotShrinkThePicture) {
  io::Snapshot snapshot = box_snapshot(Vec3::Zero(), Vec3(1, 1, 1), 12);
  Options options;
  Framing without(options.view, 960, 720);
  add_to_framing(without, snapshot, options);
  append(snapshot, box_snapshot(Vec3(50, 0, 0), Vec3(0.01, 0.01, 0.01), 1));  // 6 of 10,374 elements
  Framing with(options.view, 960, 720);
  add_to_framing(with, snapshot, options);
  EXPECT_EQ(with.camera().eye, without.camera().eye);
  options.dust_share = 5e-4;  // the small piece has 5.8e-4
  Framing all(options.view, 960, 720);
  add_to_framing(all, snapshot, options);
  EXPECT_NE(all.camera().eye, without.camera().eye);
  options.dust_share = 1;
  Framing largest(options.view, 960, 720);
  add_to_framing(largest, snapshot, options);
  EXPECT_EQ(largest.camera().eye, without.camera().eye) << "the largest piece is never dust";
}

TEST(Camera, LooksFromTheSideAskedFor) {
  Framing framing({.azimuth_deg = 90, .elevation_deg = 0}, 100, 100);
  framing.add_ball(Vec3(1, 2, 3), 0.5);
  const Camera camera = framing.camera();
  EXPECT_GT(camera.eye.x(), 2);
  EXPECT_NEAR(camera.eye.y(), 2, 1e-12);
  EXPECT_NEAR(camera.eye.z(), 3, 1e-12);
  EXPECT_NEAR((camera.target - Vec3(1, 2, 3)).norm(), 0, 1e-9);
}

TEST(Camera, NothingToFrameOrNowhereToLookIsRefused) {
  EXPECT_THROW((void)Framing(View{}, 10, 10).camera(), core::Error);
  EXPECT_THROW((void)camera_axes({.eye = Vec3::Zero(), .target = Vec3::Zero()}), core::Error);
  EXPECT_THROW((void)camera_axes({.eye = Vec3::Zero(), .target = Vec3::UnitZ(), .up = Vec3::UnitZ()}), core::Error);
}

TEST(Camera, ExplodingMovesPiecesApartAboutTheirCommonCentre) {
  io::Snapshot snapshot = box_snapshot(Vec3(-1, 0, 0), Vec3(1, 1, 1));
  append(snapshot, box_snapshot(Vec3(1, 0, 0), Vec3(1, 1, 1)));
  Options options;
  options.explode = 1;
  options.view.azimuth_deg = options.view.elevation_deg = 0;
  Framing framing(options.view, 100, 100);
  add_to_framing(framing, snapshot, options);
  Framing expected(options.view, 100, 100);
  for (const double x : {-2.0, 2.0}) add_to_framing(expected, box_snapshot(Vec3(x, 0, 0), Vec3(1, 1, 1)), Options{});
  EXPECT_NEAR((framing.camera().eye - expected.camera().eye).norm(), 0, 1e-12);
}

std::vector<CameraKey> three_keys() {
  const auto key = [](double time_s, const Vec3& eye, double angle_deg) {
    return CameraKey{.time_s = time_s, .camera = {eye, Vec3::Zero(), Vec3::UnitZ(), angle_deg}};
  };
  return {key(1, Vec3(0, -4, 1), 30), key(2, Vec3(3, -3, 1), 40), key(4, Vec3(4, 0, 2), 20)};
}

TEST(CameraKeys, TheCameraIsAtItsKeysAndStandsBeforeAndAfter) {
  const auto keys = three_keys();
  for (const CameraKey& key : keys) {
    EXPECT_LT((camera_at(keys, key.time_s).eye - key.camera.eye).norm(), 1e-12);
    EXPECT_NEAR(camera_at(keys, key.time_s).field_of_view_deg, key.camera.field_of_view_deg, 1e-12);
  }
  EXPECT_EQ(camera_at(keys, 0).eye, keys.front().camera.eye);
  EXPECT_EQ(camera_at(keys, 99).eye, keys.back().camera.eye);
}

TEST(CameraKeys, ItsVelocityIsContinuousAndZeroAtTheEnds) {
  const auto keys = three_keys();
  const auto velocity = [&](double t) {
    return Vec3((camera_at(keys, t + 1e-6).eye - camera_at(keys, t - 1e-6).eye) / 2e-6);
  };
  EXPECT_LT((velocity(2 - 1e-5) - velocity(2 + 1e-5)).norm(), 1e-3);
  EXPECT_GT(velocity(2).norm(), 0.5);
  EXPECT_LT(velocity(1 + 1e-5).norm(), 1e-3);
  EXPECT_LT(velocity(4 - 1e-5).norm(), 1e-3);
}

TEST(CameraKeys, TimesThatDoNotAscendAreRefused) {
  auto keys = three_keys();
  keys[2].time_s = 2;
  EXPECT_THROW(check(keys), core::Error);
}

}  // namespace
}  // namespace brisance::render
