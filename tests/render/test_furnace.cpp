/// In light of radiance 1 from everywhere nothing that absorbs no light can be seen.
#include "render/materials/conductor.hpp"
#include "render/materials/dielectric.hpp"
#include "render/materials/diffuse.hpp"
#include "render/sampling/warp.hpp"
#include "stages.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

/// Mean over rays towards points of a ball of radius 0.95 about the origin, 3σ below 1e-3 for white materials.
test::TestStage::Mean seen(test::TestStage& stage, int num_rays) {
  double sum = 0, squares = 0;
  for (int i = 0; i < num_rays; ++i) {
    Sampler sampler(3, static_cast<std::uint64_t>(i), 0, 1);
    const Point2 a = sampler.next(), b = sampler.next();
    const Vec3f from = 4 * on_sphere(a), aim = 0.9F * on_sphere(b);
    const double x = stage.radiance(from, aim - from, sampler).mean();
    sum += x;
    squares += x * x;
  }
  const double mean = sum / num_rays, variance = std::max(0.0, squares / num_rays - mean * mean);
  return {mean, std::sqrt(variance / num_rays), variance};
}

template <class Made>
test::TestStage ball_in_sky(Made material, Transport transport = {}, core::Specification light = test::white_sky()) {
  Geometry geometry;
  test::add_ball(geometry, 24, 0);
  std::vector<std::unique_ptr<Material>> materials;
  materials.push_back(std::move(material));
  return {std::move(geometry), std::move(materials), {std::move(light)}, transport};
}

TEST(Furnace, AWhiteMattBallIsInvisible) {
  auto stage = ball_in_sky(std::make_unique<Diffuse>(Rgb::Ones()));
  EXPECT_NEAR(seen(stage, 20000).value, 1, 1e-3);
}

TEST(Furnace, InAClosedLampSamplesOfBothKindsMakeOne) {
  // the lamp is around everything: its samples and the material's share the work
  core::Specification lamp{
      "lamp", "sphere", {{"colour", test::grey(1)}, {"centre_m", Vec3(0.5, 0.2, 0.1)}, {"radius_m", 6.0}}};
  auto stage = ball_in_sky(std::make_unique<Diffuse>(Rgb::Ones()), {}, lamp);
  const auto mean = seen(stage, 100000);
  EXPECT_NEAR(mean.value, 1, 3 * mean.error + 1e-4);
  EXPECT_LT(mean.error, 2e-3);
}

TEST(Furnace, AGlassBallIsInvisibleByEveryMethod) {
  for (const Method method : {Method::path, Method::roulette, Method::branching}) {
    auto stage = ball_in_sky(std::make_unique<Dielectric>(Interior{.index = 1.5F}, 0.0F),
                             {.method = method, .branching_depth = 3, .max_depth = 10});
    const auto mean = seen(stage, 4000);
    EXPECT_NEAR(mean.value, 1, 3 * mean.error + 1e-3) << static_cast<int>(method);
    EXPECT_LT(mean.error, 1e-2);
  }
}

TEST(Furnace, WithoutTheFactorOfRadianceGlassWouldBeSeen) {
  // control: rays dropped at depth 3 are missing
  auto stage = ball_in_sky(std::make_unique<Dielectric>(Interior{.index = 1.5F}, 0.0F),
                           {.method = Method::cutoff, .branching_depth = 0, .max_depth = 3});
  EXPECT_LT(seen(stage, 4000).value, 0.999);
}

TEST(Furnace, RoughMaterialsLoseOnlyWhatFacetsReflectTwice) {
  const ComplexIndex white{Rgb::Constant(1e-3F), Rgb::Constant(100)};
  auto metal = ball_in_sky(std::make_unique<Conductor>(white, 0.1F));
  EXPECT_NEAR(seen(metal, 20000).value, 1, 1e-3);
  auto dull = ball_in_sky(std::make_unique<Conductor>(white, 1.0F));
  EXPECT_LT(seen(dull, 20000).value, 0.95);
  auto frosted = ball_in_sky(std::make_unique<Dielectric>(Interior{.index = 1.5F}, 0.15F));
  const auto mean = seen(frosted, 20000);
  EXPECT_NEAR(mean.value, 1, 3 * mean.error + 5e-3);  // facets of rays that leave at grazing angles
}

}  // namespace
}  // namespace brisance::render
