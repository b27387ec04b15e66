/// The dipole against closed forms, the table of measured media, and the form with a misprint.
#include "render/media/dipole.hpp"
#include "render/media/fresnel_moments.hpp"
#include "render/media/slab.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace brisance::render::media {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kPerSquareMillimetre = 1e-6;  ///< of a value per square metre

/// Total reflectances of the media, computed apart (reference/G1_dipole.py), four digits.
struct Row {
  const char* name;
  std::array<double, 3> total;
};
constexpr std::array<Row, 12> kTotals{{{"apple", {0.8464, 0.8407, 0.5279}},
                                       {"chicken1", {0.3137, 0.1558, 0.1264}},
                                       {"chicken2", {0.3212, 0.1599, 0.1076}},
                                       {"cream", {0.9757, 0.9000, 0.7247}},
                                       {"ketchup", {0.1638, 0.0063, 0.0018}},
                                       {"marble", {0.8302, 0.7910, 0.7526}},
                                       {"potato", {0.7644, 0.6125, 0.2127}},
                                       {"skim_milk", {0.8149, 0.8130, 0.6823}},
                                       {"skin1", {0.4360, 0.2273, 0.1310}},
                                       {"skin2", {0.6226, 0.4333, 0.3435}},
                                       {"spectralon", {1, 1, 1}},
                                       {"whole_milk", {0.9077, 0.8809, 0.7594}}}};

/// A grey medium of this albedo with a mean free path of 1 m.
Medium grey(double albedo, double index) {
  return {
      .reduced_scattering = Channels::Constant(albedo), .absorption = Channels::Constant(1 - albedo), .index = index};
}

/// ∫ 2πr f(r) dr over all radii, by the midpoint rule in ln r.
template <class F>
Channels over_the_plane(const F& f, double smallest, double largest) {
  constexpr int kNumNodes = 20000;
  const double step = std::log(largest / smallest) / kNumNodes;
  Channels sum = Channels::Zero();
  for (int i = 0; i < kNumNodes; ++i) {
    const double r = smallest * std::exp((i + 0.5) * step);
    sum += 2 * kPi * r * r * step * f(r);
  }
  return sum;
}

/// The profile as it is printed: the virtual term has a second factor 1/σ'_t [m] in it, which is no number.
Channels misprinted_profile(const Medium& medium, double radius) {
  const Channels extinction = reduced_extinction(medium), transport = effective_transport(medium);
  const Channels real = extinction.inverse(), virt = real * (1 + 4.0 / 3 * boundary_mismatch(medium.index));
  const auto term = [&](const Channels& depth) -> Channels {
    const Channels d = (depth.square() + radius * radius).sqrt();
    return depth * (1 + transport * d) * (-transport * d).exp() / d.cube();
  };
  return reduced_albedo(medium) / (4 * kPi) * (term(real) + term(virt) / extinction);
}

TEST(Dipole, TotalIsTheClosedForm) {
  const std::array albedos{0.999, 0.99, 0.95, 0.9, 0.5};
  const std::array low{0.863916, 0.644525, 0.406598, 0.299129, 0.074507};
  const std::array high{0.827011, 0.583103, 0.364207, 0.274658, 0.073572};
  for (std::size_t i = 0; i < albedos.size(); ++i) {
    EXPECT_NEAR(Dipole(grey(albedos[i], 1.3)).total()[0], low[i], 5e-7);
    EXPECT_NEAR(Dipole(grey(albedos[i], 1.5)).total()[1], high[i], 5e-7);
  }
  EXPECT_DOUBLE_EQ(Dipole(grey(1, 1.3)).total()[2], 1);
}

TEST(Dipole, TotalsOfTheMeasuredMediaHaveAllPrintedDigits) {
  for (const Row& row : kTotals) {
    const Channels total = Dipole(medium_named(row.name)).total();
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(total[c], row.total[c], 5.001e-5) << row.name << ", channel " << c;
  }
}

TEST(Dipole, TotalIsTheIntegralOfTheProfile) {
  for (const char* name : {"marble", "skin1", "ketchup"}) {
    const Dipole dipole(medium_named(name));
    const Channels sum = over_the_plane([&](double r) { return dipole.profile(r); }, 1e-9, 10);
    EXPECT_TRUE(sum.isApprox(dipole.total(), 1e-6)) << name << ": " << sum.transpose();  // of the midpoint rule
  }
}

TEST(Dipole, ProfileHasItsPointValues) {
  const Dipole marble(medium_named("marble")), skin(medium_named("skin1"));
  EXPECT_NEAR(marble.profile(0)[0] * kPerSquareMillimetre, 0.390746, 5e-7);
  EXPECT_NEAR(marble.profile(1e-3)[0] * kPerSquareMillimetre, 0.0348467, 5e-8);
  EXPECT_NEAR(marble.profile(5e-3)[0] * kPerSquareMillimetre, 0.00126669, 5e-9);
  EXPECT_NEAR(skin.profile(0)[1] * kPerSquareMillimetre, 0.0628239, 5e-8);
  EXPECT_NEAR(skin.profile(1e-3)[1] * kPerSquareMillimetre, 0.0182336, 5e-8);
  EXPECT_NEAR(skin.profile(5e-3)[1] * kPerSquareMillimetre, 1.02548e-4, 5e-10);
}

TEST(Dipole, UnitsOfLengthChangeNoTotal) {
  const Medium in_metres = medium_named("marble");
  const Dipole metres(in_metres), millimetres(scaled(in_metres, 1000));
  EXPECT_TRUE(metres.total().isApprox(millimetres.total(), 1e-12));
  EXPECT_TRUE(metres.profile(2e-3).isApprox(1e6 * millimetres.profile(2), 1e-12));
}

TEST(Dipole, TheMisprintedFormFailsInBothRespects) {
  const Medium in_metres = medium_named("marble"), in_millimetres = scaled(in_metres, 1000);
  const auto total = [](const Medium& medium, double unit) {
    return over_the_plane([&](double r) { return misprinted_profile(medium, r); }, 1e-9 * unit, 10 * unit)[0];
  };
  EXPECT_NEAR(total(in_millimetres, 1000), 0.6362, 5e-5);
  EXPECT_GT(std::abs(total(in_metres, 1) - total(in_millimetres, 1000)), 0.1);
}

TEST(Dipole, ShareWithinARadiusIsTheIntegral) {
  const Dipole dipole(medium_named("skin2"));
  for (const double radius : {1e-4, 1e-3, 1e-2}) {
    const Channels sum = over_the_plane([&](double r) { return dipole.profile(r); }, 1e-9, radius);
    EXPECT_TRUE(dipole.within(radius).isApprox(sum, 1e-6)) << radius;
  }
  EXPECT_TRUE(dipole.within(10).isApprox(dipole.total(), 1e-9));
}

TEST(Dipole, DistanceOfAShareIsItsInverse) {
  for (const double transport : {0.0, 1e-12, 1e-3, 1.0, 1e3})
    for (const double share : {1.0, 0.9, 0.1, 1e-6}) {
      const double distance = distance_of_share(0.5, transport, share);
      EXPECT_NEAR(0.5 / distance * std::exp(-transport * (distance - 0.5)) / share, 1, 1e-9)
          << transport << " " << share;
    }
}

TEST(Dipole, SampledRadiiHaveTheProfileAsTheirDensity) {
  constexpr int kNumBins = 20, kNumSamples = 100000;
  for (const char* name : {"marble", "skin1", "spectralon"}) {
    const Dipole dipole(medium_named(name));
    for (int channel = 0; channel < 3; ++channel) {
      std::mt19937_64 engine(7 + channel);
      std::uniform_real_distribution<double> uniform(0, 1);
      // Shares up to the sampled radius are evenly distributed.
      std::array<int, kNumBins> counts{};
      for (int i = 0; i < kNumSamples; ++i) {
        const double u = uniform(engine), v = uniform(engine);
        const double share = dipole.within(dipole.sample_radius(channel, u, v))[channel] / dipole.total()[channel];
        ++counts[std::min(kNumBins - 1, static_cast<int>(kNumBins * share))];
      }
      double chi_squared = 0;
      const double expected = static_cast<double>(kNumSamples) / kNumBins;
      for (const int count : counts) chi_squared += (count - expected) * (count - expected) / expected;
      EXPECT_LT(chi_squared, 43.8) << name << " " << channel;  // 19 degrees of freedom, chance 1e-3
    }
  }
}

TEST(Slab, DipoleExcessAndMissingLightAreTheTable) {
  // Six media between the extremes: excess R_dipole/R_slab − 1, and transmittance, at thickness·σ_tr = 0.5, 1, 2, 3.
  struct Case {
    const char* name;
    int channel;
  };
  const std::array cases{Case{"apple", 0}, Case{"marble", 0},     Case{"skin1", 0},
                         Case{"skin2", 0}, Case{"whole_milk", 0}, Case{"whole_milk", 2}};
  const std::array thickness{0.5, 1.0, 2.0, 3.0};
  const std::array least{0.09, 0.026, 0.003, 0.0}, most{0.25, 0.076, 0.0095, 0.0014};
  for (const Case& each : cases) {
    const Medium medium = medium_named(each.name);
    const double transport = effective_transport(medium)[each.channel],
                 half_space = Dipole(medium).total()[each.channel];
    for (std::size_t i = 0; i < thickness.size(); ++i) {
      const SlabLight slab = slab_light(medium, thickness[i] / transport);
      const double excess = half_space / slab.reflected[each.channel] - 1;
      EXPECT_GT(excess, least[i]) << each.name << " " << thickness[i];
      EXPECT_LT(excess, most[i]) << each.name << " " << thickness[i];
    }
  }
  const auto transmitted = [](const char* name, int channel, double depths) {
    const Medium medium = medium_named(name);
    return slab_light(medium, depths / effective_transport(medium)[channel]).transmitted[channel];
  };
  EXPECT_NEAR(transmitted("marble", 0, 2), 0.041, 5e-4);
  EXPECT_NEAR(transmitted("skin1", 1, 2), 0.12, 5e-3);
  EXPECT_NEAR(transmitted("marble", 0, 3), 0.015, 5e-4);
  EXPECT_NEAR(transmitted("skin1", 1, 3), 0.045, 5e-4);
}

TEST(Slab, ThickSlabsAreHalfSpacesAndLosslessOnesKeepAllLight) {
  const Medium marble = medium_named("marble");
  const SlabLight thick = slab_light(marble, 1);  // 117 decay lengths: nothing comes through
  EXPECT_TRUE(thick.reflected.isApprox(Dipole(marble).total(), 1e-12));
  EXPECT_LT(thick.transmitted.maxCoeff(), 1e-12);
  const SlabLight lossless = slab_light(medium_named("spectralon"), 2e-3);
  EXPECT_TRUE((lossless.reflected + lossless.transmitted).isApprox(Channels::Ones(), 1e-12));
  // The limit of vanishing absorption is continuous.
  Medium nearly = medium_named("spectralon");
  nearly.absorption = 1e-4;
  EXPECT_TRUE(slab_light(nearly, 2e-3).transmitted.isApprox(lossless.transmitted, 1e-4));
}

}  // namespace
}  // namespace brisance::render::media
