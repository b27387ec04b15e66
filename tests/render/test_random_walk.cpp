/// Random walks against closed forms: conserved light, mean path lengths, half spaces and slabs.
#include "render/media/dipole.hpp"
#include "render/media/fresnel_moments.hpp"
#include "render/media/random_walk.hpp"
#include "render/media/slab.hpp"
#include "render/media/smooth_boundary.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::render::media {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kEndless = std::numeric_limits<double>::infinity();
const WalkSettings kMatched{.has_fresnel_boundary = false};

/// Mean of values, and its standard error.
class Mean {
public:
  void add(const Channels& value) {
    sum_ += value;
    squares_ += value.square();
    ++count_;
  }
  [[nodiscard]] Channels value() const { return sum_ / count_; }
  [[nodiscard]] Channels error() const { return ((squares_ / count_ - value().square()).max(0.0) / count_).sqrt(); }

private:
  Channels sum_ = Channels::Zero(), squares_ = Channels::Zero();
  double count_ = 0;
};

void expect_within_three_sigma(const Mean& mean, const Channels& expected) {
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(mean.value()[c], expected[c], 3 * mean.error()[c] + 1e-12) << "channel " << c;
}

/// Between z = −thickness and z = 0.
FindSurface slab(double thickness) {
  return [thickness](const Vec3& point, const Vec3& direction, double reach) -> std::optional<BoundaryPoint> {
    const double height = direction.z() > 0 ? point.z() : point.z() + thickness;
    const double distance = std::abs(height / direction.z());
    if (!(distance < reach)) return std::nullopt;
    return BoundaryPoint{distance, std::copysign(1.0, direction.z()) * Vec3::UnitZ()};
  };
}

/// The ball of radius 1 about the origin.
std::optional<BoundaryPoint> ball(const Vec3& point, const Vec3& direction, double reach) {
  const double along = point.dot(direction);
  const double distance = -along + std::sqrt(std::max(0.0, along * along + 1 - point.squaredNorm()));
  if (!(distance < reach)) return std::nullopt;
  return BoundaryPoint{distance, (point + distance * direction).normalized()};
}

Medium grey(double albedo, double extinction, double index) {
  return {.reduced_scattering = Channels::Constant(albedo * extinction),
          .absorption = Channels::Constant((1 - albedo) * extinction),
          .index = index};
}

/// Shares of light that leave a slab on the side where it entered along the normal, and on the other.
struct SlabWalk {
  Mean reflected, transmitted, unscattered;
};

SlabWalk walk_through_slab(const Medium& medium, const WalkSettings& settings, double thickness, int num_walks,
                           std::uint64_t seed) {
  SlabWalk result;
  const FindSurface surface = slab(thickness);
  for (int i = 0; i < num_walks; ++i) {
    WalkNumbers numbers(core::hash_bits(seed, i, 0));
    const auto end = random_walk(medium, settings, Vec3::Zero(), -Vec3::UnitZ(), surface, numbers);
    const Channels weight = end ? end->weight : Channels::Zero();
    const bool is_back = end && end->normal.z() > 0, is_straight = end && end->num_scatterings == 0;
    result.reflected.add(is_back ? weight : Channels::Zero());
    result.transmitted.add(!is_back && !is_straight ? weight : Channels::Zero());
    result.unscattered.add(!is_back && is_straight ? weight : Channels::Zero());
  }
  return result;
}

/// Chandrasekhar's H function of isotropic scattering for μ = 1, from
/// 1/H(μ) = √(1 − α) + α/2 ∫ μ' H(μ')/(μ + μ') dμ', by iteration on a midpoint rule.
double h_function_at_one(double albedo) {
  constexpr int kNumNodes = 400;
  std::vector<double> h(kNumNodes, 1);
  const auto next = [&](double mu) {
    double sum = 0;
    for (int i = 0; i < kNumNodes; ++i) {
      const double node = (i + 0.5) / kNumNodes;
      sum += node * h[i] / (mu + node) / kNumNodes;
    }
    return 1 / (std::sqrt(1 - albedo) + 0.5 * albedo * sum);
  };
  for (int round = 0; round < 60; ++round) {
    std::vector<double> improved(kNumNodes);
    for (int i = 0; i < kNumNodes; ++i) improved[i] = 0.5 * (h[i] + next((i + 0.5) / kNumNodes));
    h = improved;
  }
  return next(1);
}

/// Light entering the ball from even surroundings: a point of it (all are alike), cosine-distributed directions.
/// Nothing if the boundary reflects it.
std::optional<Vec3> direction_inside(double index, WalkNumbers& numbers) {
  const double u = numbers.next(), angle = 2 * kPi * numbers.next(), sine = std::sqrt(u);
  const Vec3 outside(sine * std::cos(angle), sine * std::sin(angle), -std::sqrt(1 - u));
  if (numbers.next() < fresnel_reflectance(-outside.z(), index)) return std::nullopt;
  return refracted(outside, Vec3::UnitZ(), index);
}

TEST(RandomWalk, WithoutAbsorptionAllLightLeaves) {
  // Channels of different mean free path; the sum of the weights is conserved in every walk, each channel in the mean.
  const Medium medium{.reduced_scattering = Channels(2, 3, 6), .index = 1.4};
  Mean each_channel;
  for (int i = 0; i < 20000; ++i) {
    WalkNumbers numbers(i);
    const auto end = random_walk(medium, {}, Vec3(0, 0, 1), -Vec3::UnitZ(), ball, numbers);
    ASSERT_TRUE(end);
    EXPECT_NEAR(end->weight.mean(), 1, 1e-9);  // rounding of some hundred factors
    EXPECT_NEAR(end->position.norm(), 1, 1e-9);
    EXPECT_GT(end->direction.dot(end->normal), 0);
    each_channel.add(end->weight);
  }
  expect_within_three_sigma(each_channel, Channels::Ones());
}

TEST(RandomWalk, MeanPathInEvenLightDependsOnVolumeAndSurfaceOnly) {
  // Radiance inside is η² everywhere, however light is scattered, so a ray that arrives travels 4 η² V/S in the mean. A
  // path of s meets s σ_s events. Light that leaves is as even as what arrived: its mean cosine is 2/3.
  for (const double index : {1.0, 1.4})
    for (const double anisotropy : {0.0, 0.6}) {
      const Medium medium = grey(1, 2, index);
      Mean events, cosine;
      for (int i = 0; i < 40000; ++i) {
        WalkNumbers numbers(core::hash_bits(5, i, 0));
        const auto direction = direction_inside(index, numbers);
        if (!direction) {
          events.add(Channels::Zero());
          continue;
        }
        const auto end = random_walk(medium, {.anisotropy = anisotropy}, Vec3::UnitZ(), *direction, ball, numbers);
        ASSERT_TRUE(end);
        events.add(Channels::Constant(end->num_scatterings));
        cosine.add(Channels::Constant(end->direction.dot(end->normal)));
      }
      const double scattering = 2 / (1 - anisotropy), volume_per_surface = 1.0 / 3;
      SCOPED_TRACE(index);
      expect_within_three_sigma(events, Channels::Constant(scattering * 4 * index * index * volume_per_surface));
      // Of light that entered: the cosine-weighted mean of F_t.
      double entered = 0, weighted = 0;
      for (int k = 0; k < 10000; ++k) {
        const double mu = (k + 0.5) / 10000, transmitted = 1 - fresnel_reflectance(mu, index);
        entered += mu * transmitted;
        weighted += mu * mu * transmitted;
      }
      expect_within_three_sigma(cosine, Channels::Constant(weighted / entered));
    }
}

TEST(RandomWalk, MatchedHalfSpaceHasChandrasekharsReflectance) {
  // R = 1 − √(1 − α) H(1) for light along the normal.
  Medium medium = grey(0.5, 1000, 1);
  const std::array albedos{0.5, 0.9, 0.99};
  for (int c = 0; c < 3; ++c) {
    medium.reduced_scattering[c] = 1000 * albedos[c];
    medium.absorption[c] = 1000 * (1 - albedos[c]);
  }
  const SlabWalk walks = walk_through_slab(medium, kMatched, kEndless, 100000, 1);
  Channels expected;
  for (int c = 0; c < 3; ++c) expected[c] = 1 - std::sqrt(1 - albedos[c]) * h_function_at_one(albedos[c]);
  expect_within_three_sigma(walks.reflected, expected);
}

TEST(RandomWalk, UnscatteredLightFollowsBeer) {
  Medium medium = grey(0.5, 1000, 1);
  medium.absorption = Channels(500, 1000, 2000);
  const SlabWalk walks = walk_through_slab(medium, kMatched, 1e-3, 100000, 2);
  expect_within_three_sigma(walks.unscattered, (-reduced_extinction(medium) * 1e-3).exp());
}

TEST(RandomWalk, HalfSpaceHasTheReflectanceOfTheDipole) {
  // Diffusion holds where scattering prevails: walks of millions of events give 1.000 to 1.017 of the dipole for
  // α' ≥ 0.99. At α' = 0.5 they give 1.31, 0.84 and 0.62 of it for the three indices.
  for (const double index : {1.0, 1.3, 1.5}) {
    Medium medium = grey(0.99, 1000, index);
    medium.reduced_scattering = Channels(999, 998, 990);
    medium.absorption = Channels(1, 2, 10);
    const SlabWalk walks = walk_through_slab(medium, {}, kEndless, 20000, 3);
    const Channels dipole = Dipole(medium).total();
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(walks.reflected.value()[c] / dipole[c], 1, 0.02 + 3 * walks.reflected.error()[c]) << index;
    const Medium absorbing = grey(0.5, 1000, index);
    const SlabWalk few = walk_through_slab(absorbing, {}, kEndless, 20000, 3);
    EXPECT_GT(std::abs(few.reflected.value()[0] / Dipole(absorbing).total()[0] - 1), 0.1) << index;
  }
}

TEST(RandomWalk, SlabsHaveTheLightOfTheMultipole) {
  const Medium marble = medium_named("marble");
  const double transport = effective_transport(marble)[0], half_space = Dipole(marble).total()[0];
  for (const double depths : {0.5, 1.0, 2.0, 3.0}) {
    const SlabWalk walks = walk_through_slab(marble, {}, depths / transport, 20000, 4);
    const SlabLight expected = slab_light(marble, depths / transport);
    const double reflected = walks.reflected.value()[0], transmitted = walks.transmitted.value()[0];
    const double error = 3 * walks.reflected.error()[0];
    // The multipole is a theory of diffusion: walks of millions of events are 1 % above in reflectance, 3 % below in
    // transmittance.
    EXPECT_NEAR(reflected, expected.reflected[0], 0.015 * expected.reflected[0] + error) << depths;
    EXPECT_NEAR(transmitted, expected.transmitted[0], 0.04 * expected.transmitted[0] + 3 * walks.transmitted.error()[0])
        << depths;
    // The dipole's excess shows in slabs up to one decay length; its transmittance is 0.
    EXPECT_EQ(half_space - reflected > error, depths <= 1) << depths;
    EXPECT_GT(transmitted, 3 * walks.transmitted.error()[0]) << depths;
  }
}

TEST(RandomWalk, ForwardScatteringOfTheSameReducedCoefficientsIsAlike) {
  const Medium marble = medium_named("marble");
  const SlabWalk isotropic = walk_through_slab(marble, {}, 4e-3, 5000, 6);
  const SlabWalk forward = walk_through_slab(marble, {.anisotropy = 0.8}, 4e-3, 5000, 7);
  for (int c = 0; c < 3; ++c)  // similarity holds where light is diffuse: 1 % of light along the normal is not
    EXPECT_NEAR(forward.reflected.value()[c], isotropic.reflected.value()[c],
                0.01 + 3 * std::hypot(forward.reflected.error()[c], isotropic.reflected.error()[c]));
}

TEST(RandomWalk, EqualKeysGiveEqualWalks) {
  const Medium medium{.reduced_scattering = Channels(2, 3, 6), .index = 1.4};
  const auto end_of = [&](std::uint64_t key) {
    WalkNumbers numbers(key);
    return random_walk(medium, {}, Vec3::UnitZ(), -Vec3::UnitZ(), ball, numbers)->position;
  };
  EXPECT_EQ(end_of(1), end_of(1));
  EXPECT_NE(end_of(1), end_of(2));
}

TEST(RandomWalk, AWalkThatSlippedOutIsLost) {
  // The ball seen from outside, as after a gap in the surface: the first surface met has its back to the walk.
  WalkNumbers numbers(1);
  const FindSurface from_outside = [](const Vec3&, const Vec3& direction, double) {
    return std::optional(BoundaryPoint{0.1, -direction});
  };
  EXPECT_FALSE(random_walk(medium_named("marble"), {}, Vec3::Zero(), Vec3::UnitX(), from_outside, numbers));
}

TEST(ScatteredDirection, HasTheMeanCosineOfHenyeyAndGreenstein) {
  for (const double g : {-0.5, 0.0, 0.9}) {
    Mean cosine;
    for (int i = 0; i < 20000; ++i) {
      WalkNumbers numbers(core::hash_bits(9, i, 0));
      const double u = numbers.next(), v = numbers.next();
      cosine.add(Channels::Constant(scattered_direction(Vec3::UnitY(), g, u, v).y()));
    }
    expect_within_three_sigma(cosine, Channels::Constant(g));
  }
}

}  // namespace
}  // namespace brisance::render::media
