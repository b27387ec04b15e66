/// Light inside solids in pictures: furnace, quadrature of the dipole, slabs, cracks, and who computes what.
#include "brisance/core/error.hpp"

#include "plates.hpp"
#include "render/materials/exit_lobe.hpp"
#include "render/materials/fresnel.hpp"
#include "render/materials/subsurface.hpp"
#include "render/media/fresnel_moments.hpp"
#include "render/media/random_walk.hpp"
#include "render/media/single_scattering.hpp"
#include "stages.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

using test::add_box;
using test::grey;
using test::TestStage;

constexpr double kPi = std::numbers::pi;

core::Specification turbid(const std::string& inside, double scattering, double absorption, double index = 1.3) {
  return {"stuff",
          "subsurface",
          {{"inside", inside},
           {"reduced_scattering_per_m", grey(scattering)},
           {"absorption_per_m", grey(absorption)},
           {"index", index}}};
}

media::Medium medium_of(const core::Specification& stuff) {
  return {.reduced_scattering = std::get<Vec3>(stuff.values.at("reduced_scattering_per_m")).array(),
          .absorption = std::get<Vec3>(stuff.values.at("absorption_per_m")).array(),
          .index = std::get<double>(stuff.values.at("index"))};
}

TestStage stage_of(Geometry geometry, const core::Specification& stuff, const core::Specification& light) {
  return {std::move(geometry), test::materials_of({stuff}), {light}};
}

/// A plate with its upper face at z = 0 [m].
Geometry plate(double width, double thickness) {
  Geometry geometry;
  add_box(geometry, Vec3(-width / 2, -width / 2, -thickness), Vec3(width / 2, width / 2, 0), 0);
  return geometry;
}

/// Mean radiance seen along the normal of a plate, somewhere off its triangles' edges.
TestStage::Mean seen_from_above(TestStage& stage, int num_samples, std::uint64_t seed = 1) {
  return stage.mean(Vec3f(0.00013F, 0.00007F, 1), -Vec3f::UnitZ(), num_samples, seed);
}

TEST(Subsurface, ALosslessSolidInEvenLightIsInvisible) {
  for (const double index : {1.0, 1.3, 1.5}) {
    Geometry geometry;
    test::add_ball(geometry, 16, 0);
    auto stage = stage_of(std::move(geometry), turbid("random_walk", 3, 0, index), test::white_sky());
    const auto mean = stage.mean(Vec3f(2, 3, 2.5F), Vec3f(-2, -2.9F, -2.2F), 20000, 1);
    EXPECT_NEAR(mean.value, 1, 3 * mean.error + 1e-5) << index;
    EXPECT_LT(mean.error, 2e-3);
  }
}

TEST(Subsurface, ExitLobesLetAllLightOut) {
  constexpr int kNumNodes = 20000;
  for (const float index : {1.0F, 1.3F, 1.5F}) {
    const ExitLobe lobe(index);
    double sum = 0;
    for (int i = 0; i < kNumNodes; ++i) {
      const auto mu = static_cast<float>((i + 0.5) / kNumNodes);
      sum += 2 * kPi * mu * lobe.evaluate({}, Vec3f::UnitZ(), {std::sqrt(1 - mu * mu), 0, mu})[0] / kNumNodes;
    }
    EXPECT_NEAR(sum, 1, 1e-5) << index;
  }
}

TEST(Subsurface, DipoleInEvenLightHasItsClosedForm) {
  // F + F_t times (diffuse light but for single scattering, and single scattering along the normal), on a plate of 100
  // decay lengths.
  const auto stuff = turbid("dipole", 1000, 10);
  const media::Medium medium = medium_of(stuff);
  auto stage = stage_of(plate(0.5, 0.5), stuff, test::white_sky());
  const double reflected = fresnel_dielectric(1, 1.3F);
  const media::Channels once = media::single_scattering_albedo(medium);
  double scattered_once = 0;
  for (int i = 0; i < 1000; ++i) {
    const double mu = (i + 0.5) / 1000;
    scattered_once += 2 * kPi * mu * media::single_scattering(medium, mu, 1)[0] / 1000;
  }
  const double expected = reflected + (1 - reflected) * (media::Dipole(medium).total() - once)[0] + scattered_once;
  const auto mean = seen_from_above(stage, 40000);
  EXPECT_NEAR(mean.value, expected, 3 * mean.error);
  EXPECT_LT(mean.error, 6e-3 * expected);
  EXPECT_EQ(stage.rays().walks, 0U);
}

/// Light of a small lamp of radiance 1 above a plate, diffuse light at a point of it as it leaves along the normal: the
/// dipole summed over rings and sectors.
double dipole_by_quadrature(const media::Medium& medium, const Vec3& lamp, double lamp_radius, const Vec3& point) {
  constexpr int kNumRings = 800, kNumSectors = 120;
  const media::Dipole dipole(medium);
  const ExitLobe lobe(static_cast<float>(medium.index));
  const double smallest = 1e-6, largest = 0.1, step = std::log(largest / smallest) / kNumRings;
  double sum = 0;
  for (int i = 0; i < kNumRings; ++i)
    for (int j = 0; j < kNumSectors; ++j) {
      const double r = smallest * std::exp((i + 0.5) * step), angle = 2 * kPi * (j + 0.5) / kNumSectors;
      const Vec3 to_lamp = lamp - (point + r * Vec3(std::cos(angle), std::sin(angle), 0));
      const Vec3f direction = to_lamp.normalized().cast<float>();
      const double solid_angle = 2 * kPi * (1 - std::sqrt(1 - lamp_radius * lamp_radius / to_lamp.squaredNorm()));
      sum += r * r * step * 2 * kPi / kNumSectors * dipole.profile(r)[0] *
             lobe.evaluate({}, Vec3f::UnitZ(), direction)[0] * direction.z() * solid_angle;
    }
  return sum;
}

/// The same of light scattered once, on the way of the ray that came along the normal.
double once_by_quadrature(const media::Medium& medium, const Vec3& lamp, double lamp_radius, const Vec3& point) {
  constexpr int kNumDepths = 20000;
  const double extinction = media::reduced_extinction(medium)[0], step = 20 / extinction / kNumDepths;
  double sum = 0;
  for (int i = 0; i < kNumDepths; ++i) {
    const double depth = (i + 0.5) * step;
    const Vec3 to_lamp = lamp - point + Vec3(0, 0, depth);
    const double cosine = to_lamp.normalized().z();
    const double solid_angle = 2 * kPi * (1 - std::sqrt(1 - lamp_radius * lamp_radius / to_lamp.squaredNorm()));
    sum += step * medium.reduced_scattering[0] * std::exp(-extinction * depth) * solid_angle / (4 * kPi) *
           media::light_through_surface(medium, cosine, depth / cosine)[0];
  }
  return sum;
}

TEST(Subsurface, SampledDipoleIsItsQuadrature) {
  // A lamp as far from the surface as light goes inside, so that each point of it is lit differently.
  const auto stuff = turbid("dipole", 2000, 20, 1.5);
  const media::Medium medium = medium_of(stuff);
  const Vec3 lamp(0.004, 0.002, 0.003);
  constexpr double kLampRadius = 2e-4;
  const core::Specification light{
      "lamp", "sphere", {{"colour", grey(1)}, {"centre_m", lamp}, {"radius_m", kLampRadius}}};
  for (const double x : {0.0, 0.006}) {
    auto stage = stage_of(plate(0.3, 0.3), stuff, light);
    const Vec3 point(x + 0.0001, 0.0002, 0);
    const media::Channels share = 1 - media::single_scattering_albedo(medium) / media::Dipole(medium).total();
    const double once = 0.96 * once_by_quadrature(medium, lamp, kLampRadius, point);
    const double diffuse = 0.96 * share[0] * dipole_by_quadrature(medium, lamp, kLampRadius, point);
    const auto mean = stage.mean(point.cast<float>() + Vec3f::UnitZ(), -Vec3f::UnitZ(), 150000, 3);
    EXPECT_NEAR(mean.value, diffuse + once, 3 * mean.error + 0.002 * diffuse) << x;
    EXPECT_LT(mean.error, 0.01 * mean.value);
    EXPECT_LT(once, 0.15 * diffuse);
  }
}

/// Share of light along the normal of a slab that leaves on the other side.
double transmitted_by_walks(const media::Medium& medium, double thickness, int num_walks) {
  const media::FindSurface slab = [&](const Vec3& point, const Vec3& direction,
                                      double reach) -> std::optional<media::BoundaryPoint> {
    const double height = direction.z() > 0 ? point.z() : point.z() + thickness;
    const double distance = std::abs(height / direction.z());
    if (!(distance < reach)) return std::nullopt;
    return media::BoundaryPoint{distance, std::copysign(1.0, direction.z()) * Vec3::UnitZ()};
  };
  double sum = 0;
  for (int i = 0; i < num_walks; ++i) {
    media::WalkNumbers numbers(core::hash_bits(17, i, 0));
    const auto end = media::random_walk(medium, {}, Vec3::Zero(), -Vec3::UnitZ(), slab, numbers);
    if (end && end->normal.z() < 0) sum += end->weight[0];
  }
  return sum / num_walks;
}

TEST(Subsurface, APlateLitFromBehindShinesThrough) {
  // A lamp that fills the view from the back of a plate of 3 mm.
  const auto stuff = turbid("random_walk", 1000, 5);
  const core::Specification light{"lamp",
                                  "rectangle",
                                  {{"colour", grey(1)},
                                   {"centre_m", Vec3(0, 0, -0.01)},
                                   {"target_m", Vec3(0, 0, 0)},
                                   {"width_m", 20.0},
                                   {"height_m", 20.0}}};
  auto stage = stage_of(plate(0.2, 0.003), stuff, light);
  const auto mean = seen_from_above(stage, 40000);
  const double reflected = fresnel_dielectric(1, 1.3F);
  const double expected = (1 - reflected) * transmitted_by_walks(medium_of(stuff), 0.003, 40000);
  EXPECT_NEAR(mean.value, expected, 4.3 * mean.error);  // 3σ of the difference of two such means
  EXPECT_LT(mean.error, 0.02 * expected);
  // The dipole lets the light through by chance alone: points of the far face are 8 decay lengths of a half space away.
  auto of_dipole = stage_of(plate(0.2, 0.003), turbid("dipole", 1000, 5), light);
  EXPECT_GT(std::abs(seen_from_above(of_dipole, 10000).value - expected), 0.2 * expected);
}

TEST(Subsurface, AutomaticTakesWalksWhereItIsThin) {
  // σ_tr = 122.9/m: 3 and 4 decay lengths are 24.4 and 32.5 mm.
  const auto stuff = turbid("auto", 1000, 5);
  struct Case {
    double thickness;
    bool is_covered;  ///< by a body on its far side
    bool is_thick;
  };
  for (const Case& each : {Case{0.020, false, false}, Case{0.028, false, false}, Case{0.028, true, true},
                           Case{0.020, true, false}, Case{0.040, false, true}}) {
    Geometry geometry = plate(0.2, each.thickness);
    if (each.is_covered)
      add_box(geometry, Vec3(-0.1, -0.1, -each.thickness - 0.02), Vec3(0.1, 0.1, -each.thickness - 0.01), 0);
    auto stage = stage_of(std::move(geometry), stuff, test::white_sky());
    (void)stage.mean(Vec3f(0.0001F, 0.0002F, 1), -Vec3f::UnitZ(), 1, 1);
    EXPECT_EQ(stage.rays().dipoles > 0, each.is_thick) << each.thickness << " " << each.is_covered;
    EXPECT_EQ(stage.rays().walks > 0, !each.is_thick) << each.thickness << " " << each.is_covered;
  }
}

TEST(Subsurface, AClosedCrackIsNotSeen) {
  // A crack between the point that is seen and a small lamp above the other part. Control: a black sheet in it.
  const core::Specification lamp{
      "lamp", "sphere", {{"colour", grey(1)}, {"centre_m", Vec3(0.008, 0, 0.003)}, {"radius_m", 0.001}}};
  const auto seen = [&](double end, double start) {
    Geometry geometry;
    add_box(geometry, Vec3(-0.05, -0.05, -0.02), Vec3(end, 0.05, 0), 0);
    if (start < 0.05) add_box(geometry, Vec3(start, -0.05, -0.02), Vec3(0.05, 0.05, 0), 0);
    if (start > end) add_box(geometry, Vec3(end + 1e-4, -0.05, -0.02), Vec3(start - 1e-4, 0.05, 0), 1);
    TestStage stage(std::move(geometry),
                    test::materials_of({turbid("random_walk", 300, 1), {"black", "diffuse", {{"colour", grey(0)}}}}),
                    {lamp});
    return stage.mean(Vec3f(0.0003F, 0.0002F, 1), -Vec3f::UnitZ(), 20000, 5);
  };
  const auto whole = seen(0.05, 0.05), closed = seen(0.003, 0.003), sheet = seen(0.003, 0.004);
  EXPECT_NEAR(closed.value, whole.value, 3 * std::hypot(closed.error, whole.error));
  EXPECT_LT(sheet.value, whole.value - 3 * std::hypot(sheet.error, whole.error));
}

TEST(Subsurface, NothingIsLitUnderTheGround) {
  // A plate pressed into the ground: its lower face is no window to the sky below.
  Geometry geometry = plate(0.2, 0.003);
  geometry.planes.push_back(
      {.normal = Vec3f::UnitZ(), .offset = -0.0029F, .surface = 1, .solid = geometry.num_solids++});
  TestStage stage(std::move(geometry),
                  test::materials_of({turbid("random_walk", 1000, 5), {"black", "diffuse", {{"colour", grey(0)}}}}),
                  {test::white_sky()});
  const double reflected = fresnel_dielectric(1, 1.3F);
  const auto mean = seen_from_above(stage, 20000);
  const double through = (1 - reflected) * transmitted_by_walks(medium_of(turbid("", 1000, 5)), 0.003, 20000);
  EXPECT_LT(mean.value, 1 - 0.8 * through);
}

TEST(Subsurface, PicturesHaveTheSameBitsOnAnyThreads) {
  const io::Snapshot snapshot = test::box_snapshot(Vec3::Zero(), Vec3(0.1, 0.02, 0.1));
  for (const char* inside : {"dipole", "random_walk"}) {
    Options options;
    options.width = 24;
    options.height = 18;
    options.samples_per_pixel = 4;
    options.appearance.materials = {turbid(inside, 1000, 5)};
    options.appearance.assignments.emplace_back().outside = "stuff";
    const Image one = render_frame(snapshot, options);
    options.threads = 3;
    const Image three = render_frame(snapshot, options);
    for (std::size_t i = 0; i < one.pixels.size(); ++i) EXPECT_TRUE((one.pixels[i] == three.pixels[i]).all()) << i;
    options.appearance.assignments.clear();
    const Image clay = render_frame(snapshot, options);
    EXPECT_FALSE((one.at(12, 9) == clay.at(12, 9)).all());
  }
}

TEST(Subsurface, WrongMediaAreRefused) {
  const auto refused = [](core::NamedValues values) {
    try {
      (void)make_material({"stuff", "subsurface", std::move(values)});
    } catch (const core::Error& error) {
      return std::string(error.what()).find("\"stuff\"") != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused({}));
  EXPECT_TRUE(refused({{"medium", std::string("marbel")}}));
  EXPECT_TRUE(refused({{"medium", std::string("marble")}, {"reduced_scattering_per_m", grey(10)}}));
  EXPECT_TRUE(refused({{"medium", std::string("marble")}, {"absorption_per_m", grey(-1)}}));
  EXPECT_TRUE(refused({{"medium", std::string("marble")}, {"index", 0.9}}));
  EXPECT_TRUE(refused({{"medium", std::string("marble")}, {"scale", 0.0}}));
  EXPECT_FALSE(refused({{"medium", std::string("marble")}, {"scale", 3.0}}));
}

}  // namespace
}  // namespace brisance::render
