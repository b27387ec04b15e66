#include "single_scattering.hpp"

#include "fresnel_moments.hpp"
#include "smooth_boundary.hpp"

#include <cmath>
#include <numbers>

namespace brisance::render::media {
namespace {

constexpr int kNumNodes = 64;  ///< of the midpoint rule: 1e-4 of the albedo

/// F_t of light that enters, and the cosine inside.
struct EntryPoint {
  double transmitted, cosine;
};

EntryPoint entry(double index, double cosine) {
  return {1 - fresnel_reflectance(cosine, index), refracted_cosine(cosine, index)};
}

/// ∫∫ 2μ_i 2μ_o π f dμ_i dμ_o/α': exchange of even light.
double exchange(double index) {
  double sum = 0;
  for (int i = 0; i < kNumNodes; ++i)
    for (int o = 0; o < kNumNodes; ++o) {
      const double in = (i + 0.5) / kNumNodes, out = (o + 0.5) / kNumNodes;
      const EntryPoint a = entry(index, in), b = entry(index, out);
      sum += in * out * a.transmitted * b.transmitted / (a.cosine + b.cosine);
    }
  return sum / (index * index * kNumNodes * kNumNodes);
}

}  // namespace

Channels single_scattering(const Medium& medium, double cosine_in, double cosine_out) {
  const EntryPoint in = entry(medium.index, cosine_in), out = entry(medium.index, cosine_out);
  const double geometry = in.transmitted * out.transmitted / (in.cosine + out.cosine);
  return reduced_albedo(medium) * geometry / (4 * std::numbers::pi * medium.index * medium.index);
}

Channels single_scattering_albedo(const Medium& medium) {
  return reduced_albedo(medium) * exchange(medium.index) / (1 - external_reflectance(medium.index));
}

ScatteringPoint sample_scattering_point(const Medium& medium, double u, double v) {
  const Channels extinction = reduced_extinction(medium);
  const double distance = -std::log(1 - v) / extinction[static_cast<int>(3 * u)];
  const Channels transmitted = (-extinction * distance).exp();
  return {distance, medium.reduced_scattering * transmitted / (extinction * transmitted).mean()};
}

Channels light_through_surface(const Medium& medium, double cosine_in, double distance) {
  const EntryPoint in = entry(medium.index, cosine_in);
  const double slant = cosine_in / in.cosine;
  const Channels transmitted = (-reduced_extinction(medium) * distance * slant).exp();
  return slant / (medium.index * medium.index) * in.transmitted * transmitted;
}

}  // namespace brisance::render::media
