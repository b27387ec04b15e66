/// What every kind of material promises: samples follow the density, weights follow the scattering function, light goes
/// both ways alike.
#include "brisance/core/error.hpp"

#include "render/materials/materials.hpp"
#include "render/sampling/warp.hpp"
#include "stages.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

using test::grey;

struct Case {
  const char* name;
  core::Specification specification;
  float relative_index = 1;
};

/// Materials whose scattering has a density, each with a rough and a rather smooth one.
std::vector<Case> rough_cases() {
  const auto conductor = [](double roughness) {
    return core::Specification{"gold", "conductor", {{"metal", std::string("gold")}, {"roughness", roughness}}};
  };
  const auto glass = [](double roughness) {
    return core::Specification{"glass", "dielectric", {{"index", 1.5}, {"roughness", roughness}}};
  };
  return {{"diffuse", {"clay", "diffuse", {{"colour", Vec3(0.7, 0.4, 0.2)}}}},
          {"glazed", {"cup", "glazed", {{"colour", Vec3(0.7, 0.4, 0.2)}, {"roughness", 0.6}}}},
          {"rough metal", conductor(0.7)},
          {"satin metal", conductor(0.35)},
          {"rough glass from outside", glass(0.7), 1.5F},
          {"satin glass from outside", glass(0.4), 1.5F},
          {"rough glass from inside", glass(0.6), 1 / 1.5F}};
}

const std::vector<Vec3f>& outgoing() {
  static const std::vector<Vec3f> all{Vec3f::UnitZ(), Vec3f(0.6F, 0, 0.8F), Vec3f(-0.5F, 0.72F, 0.48F).normalized()};
  return all;
}

Point2 random_point(std::uint64_t i, std::uint64_t purpose) {
  return {static_cast<float>(core::hash_uniform(11, i, 2 * purpose)) * (1 - 0x1p-24F),
          static_cast<float>(core::hash_uniform(11, i, 2 * purpose + 1)) * (1 - 0x1p-24F)};
}

/// The sphere of directions in cells of equal solid angle. Its poles are on the x axis, away from most lobes.
struct Cells {
  static constexpr int kHeights = 24, kAngles = 24, kCount = kHeights * kAngles;
  static int of(const Vec3f& w) {
    const int height = std::min(kHeights - 1, static_cast<int>(0.5F * (w.x() + 1) * kHeights));
    const double turn = std::atan2(w.y(), w.z()) / (2 * M_PI) + 0.5;
    return height * kAngles + std::min(kAngles - 1, static_cast<int>(turn * kAngles));
  }
  /// The share of a cell in an integral over the sphere, by the midpoint rule.
  template <class Density>
  static double integral(int cell, const Density& density) {
    constexpr int kFine = 24;
    double sum = 0;
    for (int i = 0; i < kFine; ++i)
      for (int j = 0; j < kFine; ++j) {
        const double x = -1 + 2 * (cell / kAngles + (i + 0.5) / kFine) / kHeights;
        const double phi = 2 * M_PI * ((cell % kAngles + (j + 0.5) / kFine) / kAngles - 0.5);
        const double r = std::sqrt(1 - x * x);
        sum += density(Vec3(x, r * std::sin(phi), r * std::cos(phi)).cast<float>());
      }
    return sum * 4 * M_PI / (kCount * kFine * kFine);
  }
};

TEST(Materials, SamplesFollowTheirDensity) {
  // χ² over cells that expect five samples or more; the rest is pooled. Lost samples are a cell of their own.
  constexpr int kSamples = 100000;
  for (const Case& each : rough_cases()) {
    const auto material = make_material(each.specification);
    const SurfacePoint at{.relative_index = each.relative_index};
    for (const Vec3f& wo : outgoing()) {
      std::vector<double> counts(Cells::kCount, 0);
      for (std::uint64_t i = 0; i < kSamples; ++i)
        if (const auto s = material->sample(at, wo, random_point(i, 0), random_point(i, 1).u))
          ++counts[Cells::of(s->wi)];
      double chi = 0, pooled = kSamples, pooled_expected = kSamples;
      int cells = 0;
      for (int cell = 0; cell < Cells::kCount; ++cell) {
        const double expected =
            kSamples * Cells::integral(cell, [&](const Vec3f& wi) { return material->pdf(at, wo, wi); });
        if (expected < 5) continue;
        chi += (counts[cell] - expected) * (counts[cell] - expected) / expected;
        pooled -= counts[cell];
        pooled_expected -= expected;
        ++cells;
      }
      if (pooled_expected > 5) {
        chi += (pooled - pooled_expected) * (pooled - pooled_expected) / pooled_expected;
        ++cells;
      }
      // Mean cells, variance 2·cells; the midpoint rule adds a little where the density bends within a cell.
      EXPECT_LT(chi, cells + 5 * std::sqrt(2.0 * cells)) << each.name << ", cos " << wo.z() << ", cells " << cells;
      EXPECT_GT(cells, 20) << each.name;
    }
  }
}

TEST(Materials, WeightsAreTheScatteringFunctionOverTheDensity) {
  for (const Case& each : rough_cases()) {
    const auto material = make_material(each.specification);
    const SurfacePoint at{.relative_index = each.relative_index};
    for (const Vec3f& wo : outgoing())
      for (std::uint64_t i = 0; i < 200; ++i) {
        const auto s = material->sample(at, wo, random_point(i, 2), random_point(i, 3).u);
        if (!s || s->pdf < 1e-3F) continue;
        const Rgb expected = material->evaluate(at, wo, s->wi) * std::abs(s->wi.z()) / s->pdf;
        EXPECT_NEAR(s->pdf, material->pdf(at, wo, s->wi), 1e-3F * s->pdf) << each.name;
        EXPECT_LT((s->weight - expected).abs().maxCoeff(), 5e-3F * s->weight.maxCoeff() + 1e-5F) << each.name;
      }
  }
}

TEST(Materials, MeanWeightIsTheIntegralOfTheScatteringFunction) {
  constexpr int kSamples = 40000;
  for (const Case& each : rough_cases()) {
    const auto material = make_material(each.specification);
    const SurfacePoint at{.relative_index = each.relative_index};
    for (const Vec3f& wo : outgoing()) {
      double sum = 0, squares = 0, integral = 0;
      for (std::uint64_t i = 0; i < kSamples; ++i) {
        const auto s = material->sample(at, wo, random_point(i, 4), random_point(i, 5).u);
        const double weight = s ? s->weight[0] : 0;
        sum += weight;
        squares += weight * weight;
      }
      for (int cell = 0; cell < Cells::kCount; ++cell)
        integral += Cells::integral(
            cell, [&](const Vec3f& wi) { return material->evaluate(at, wo, wi)[0] * std::abs(wi.z()); });
      const double mean = sum / kSamples, error = std::sqrt(std::max(0.0, squares / kSamples - mean * mean) / kSamples);
      // 3σ, and a part in a thousand for the midpoint rule
      EXPECT_NEAR(mean, integral, 3 * error + 1e-3) << each.name << ", cos " << wo.z();
    }
  }
}

TEST(Materials, LightGoesBothWaysAlike) {
  // f(ωo, ωi) = f(ωi, ωo); refracted radiance carries (n_o/n_i)²: n_i² f(o→i) = n_o² f(i→o).
  int compared = 0;
  for (const Case& each : rough_cases()) {
    const auto material = make_material(each.specification);
    const SurfacePoint here{.relative_index = each.relative_index}, there{.relative_index = 1 / each.relative_index};
    for (std::uint64_t i = 0; i < 400; ++i) {
      Vec3f wo = on_sphere(random_point(i, 6)), wi = on_sphere(random_point(i, 7));
      if (wo.z() < 0) wo = -wo;
      const float forward = material->evaluate(here, wo, wi)[0];
      const bool crosses = wi.z() < 0;
      // seen from the other side, the normal is turned
      const float back = crosses ? material->evaluate(there, -wi, -wo)[0] : material->evaluate(here, wi, wo)[0];
      const float ratio = crosses ? each.relative_index * each.relative_index : 1;
      EXPECT_NEAR(forward * ratio, back, 1e-3F * back + 1e-5F) << each.name;
      compared += back > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 500);
}

TEST(Materials, SmoothSpecularBranchesShareAllTheEnergy) {
  const auto glass = make_material({"glass", "dielectric", {{"index", 1.5}}});
  for (const float relative : {1.5F, 1 / 1.5F})
    for (float cosine = 0.05F; cosine < 1; cosine += 0.05F) {
      const Vec3f wo(std::sqrt(1 - cosine * cosine), 0, cosine);
      const SurfacePoint at{.relative_index = relative};
      const auto both = glass->branches(at, wo);
      ASSERT_TRUE(both);
      const float through = both->transmitted ? both->transmitted->weight[0] * relative * relative : 0;
      EXPECT_NEAR(both->reflected.weight[0] + through, 1, 1e-5);
      if (!both->transmitted) continue;
      // Snell's law, and both in the plane of incidence
      EXPECT_NEAR(-both->transmitted->wi.x() * relative, wo.x(), 1e-5);
      EXPECT_LT(both->transmitted->wi.z(), 0);
    }
}

TEST(Materials, WrongValuesAreRefused) {
  const auto refused = [](core::Specification each) {
    try {
      (void)make_material(each);
    } catch (const core::Error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(refused({"a", "diffuse", {{"colour", Vec3(0.5, 1.1, 0.5)}}}).find("colour must be"), std::string::npos);
  EXPECT_NE(refused({"a", "dielectric", {{"index", 0.9}}}).find("index must be"), std::string::npos);
  EXPECT_NE(refused({"a", "dielectric", {{"metal", std::string("gold")}}}).find("not a parameter"), std::string::npos);
  EXPECT_NE(refused({"a", "conductor", {{"metal", std::string("wood")}}}).find("one of aluminium"), std::string::npos);
  EXPECT_NE(refused({"a", "conductor", {{"eta", grey(1)}}}).find("belong together"), std::string::npos);
  EXPECT_NE(refused({"a", "subsurface", {}}).find("needs either a medium or"), std::string::npos);
  EXPECT_NE(refused({"a", "texture", {}}).find("needs file"), std::string::npos);
  EXPECT_NE(refused({"a", "texture", {{"file", std::string("/nowhere.png")}}}).find("/nowhere.png"), std::string::npos);
  EXPECT_NE(refused({"a", "velvet", {}}).find("Choose one of diffuse"), std::string::npos);
}

}  // namespace
}  // namespace brisance::render
