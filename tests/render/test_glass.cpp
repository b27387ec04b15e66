/// Light through slabs of glass: Beer's law, closed cracks, and what is inside what.
#include "render/materials/dielectric.hpp"
#include "stages.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

using test::add_box;
using test::grey;

core::Specification glass(double index, double absorption) {
  return {"glass", "dielectric", {{"index", index}, {"absorption_per_m", grey(absorption)}}};
}

constexpr Transport kTree{.method = Method::branching, .branching_depth = 0, .max_depth = 14};

/// Radiance seen through what boxes make, under a white sky.
double seen(Geometry geometry, const std::vector<core::Specification>& materials, const Vec3f& direction) {
  test::TestStage stage(std::move(geometry), test::materials_of(materials), {test::white_sky()}, kTree);
  Sampler sampler(1, 1, 0, 1);
  return stage.radiance(-3 * direction.normalized() + Vec3f(0.013F, 0.021F, 0), direction, sampler).mean();
}

/// Reflected and transmitted share of a slab with reflectance F at each side that lets e^(−σs) pass inside.
double slab_total(double reflectance, double inside) {
  const double f = reflectance, through = 1 - f;
  const double series = 1 / (1 - f * f * inside * inside);
  return f + f * through * through * inside * inside * series + through * through * inside * series;
}

TEST(Glass, BeersLawHoldsThroughASlab) {
  Geometry plain, bent;
  add_box(plain, Vec3(-1, -1, -0.15), Vec3(1, 1, 0.15), 0);
  bent = plain;
  const Vec3f down = -Vec3f::UnitZ(), oblique = Vec3f(0.6F, 0, -0.8F);
  // index 1: no reflection at all
  EXPECT_NEAR(seen(plain, {glass(1, 2)}, down), std::exp(-2 * 0.3), 1e-4);
  EXPECT_NEAR(seen(plain, {glass(1, 2)}, oblique), std::exp(-2 * 0.3 / 0.8), 1e-4);
  // index 1.5: a series of reflections inside
  EXPECT_NEAR(seen(bent, {glass(1.5, 2)}, down), slab_total(0.04, std::exp(-2 * 0.3)), 1e-4);
  EXPECT_NEAR(seen(bent, {glass(1.5, 0)}, down), 1, 1e-4);
}

TEST(Glass, AClosedCrackIsNoMirror) {
  const Vec3f direction = Vec3f(0.5F, 0.2F, -0.8F);
  Geometry whole;
  add_box(whole, Vec3(-1, -1, -0.2), Vec3(1, 1, 0.2), 0);
  const double expected = seen(whole, {glass(1.5, 3)}, direction);
  const auto cracked = [&](double gap) {
    Geometry parts;
    add_box(parts, Vec3(-1, -1, -0.2), Vec3(1, 1, 0.05 - gap / 2), 0);
    add_box(parts, Vec3(-1, -1, 0.05 + gap / 2), Vec3(1, 1, 0.2), 0);
    return seen(parts, {glass(1.5, 3)}, direction);
  };
  EXPECT_NEAR(cracked(0), expected, 1e-4);
  EXPECT_NEAR(cracked(1e-6), expected, 1e-4);           // within rounding
  EXPECT_NEAR(cracked(-1e-3), expected, 1e-4);          // pieces pressed into each other
  EXPECT_GT(std::abs(cracked(1e-3) - expected), 2e-3);  // an open crack
}

TEST(Glass, NestedBodiesKnowWhatIsAroundThem) {
  // clear glass with a core that absorbs
  Geometry nested;
  add_box(nested, Vec3(-1, -1, -0.3), Vec3(1, 1, 0.3), 0);
  add_box(nested, Vec3(-0.8, -0.8, -0.1), Vec3(0.8, 0.8, 0.1), 1);
  EXPECT_NEAR(seen(nested, {glass(1.5, 0), glass(1.5, 4)}, -Vec3f::UnitZ()), slab_total(0.04, std::exp(-4 * 0.2)),
              1e-4);
  // air in glass: the faces of a hollow reflect, too; without absorption all light comes through
  EXPECT_NEAR(seen(nested, {glass(1.5, 0), glass(1, 0)}, -Vec3f::UnitZ()), 1, 1e-4);
}

TEST(Glass, ABodyInContactIsSeenThroughTheGlassAndNotBesideIt) {
  // black under glass: only the upper side reflects
  Geometry stack;
  add_box(stack, Vec3(-1, -1, 0), Vec3(1, 1, 0.3), 0);
  add_box(stack, Vec3(-1, -1, -0.3), Vec3(1, 1, 0), 1);
  EXPECT_NEAR(seen(stack, {glass(1.5, 0), {"black", "diffuse", {{"colour", grey(0)}}}}, -Vec3f::UnitZ()), 0.04, 1e-4);
}

TEST(Glass, StraightShadowsAreWeakenedAsTheSlabSays) {
  // A dark matt floor under a pane: the sun from above comes through both sides, without reflections in between.
  const auto lit = [](double pane_index) {
    Geometry geometry;
    add_box(geometry, Vec3(-1, -1, -1), Vec3(1, 1, 0), 0);
    add_box(geometry, Vec3(-1, -1, 0.5), Vec3(1, 1, 0.6), 1);
    test::TestStage stage(std::move(geometry),
                          test::materials_of({{"dark", "diffuse", {{"colour", grey(0.02)}}}, glass(pane_index, 5)}),
                          {{"sun", "sun", {{"colour", grey(1)}, {"direction", Vec3(0, 0, 1)}, {"radius_deg", 0.5}}}});
    return stage.mean(Vec3f(0.1F, 0.3F, 0.4F), Vec3f(0, 0.05F, -0.4F), 4000, 1).value;
  };
  // light that the floor and the pane reflect to and fro adds a part in five hundred
  EXPECT_NEAR(lit(1.5) / (0.02 * 0.96 * 0.96 * std::exp(-0.5)), 1, 5e-3);
  EXPECT_NEAR(lit(1.0) / (0.02 * std::exp(-0.5)), 1, 5e-3);
}

}  // namespace
}  // namespace brisance::render
