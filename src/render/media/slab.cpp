#include "slab.hpp"

#include "fresnel_moments.hpp"

namespace brisance::render::media {
namespace {

/// cosh(σ b) sinh(σ a)/sinh(σ c) for a + b ≤ c, without overflow; its limit a/c for σ → 0.
Channels source_share(const Channels& transport, const Channels& a, const Channels& b, const Channels& c) {
  const Channels growth = (-2 * transport * a).exp(), whole = (-2 * transport * c).exp();
  const Channels share =
      0.5 * (transport * (a + b - c)).exp() * (1 + (-2 * transport * b).exp()) * (1 - growth) / (1 - whole);
  return (transport * c < 1e-6).select(a / c, share);
}

}  // namespace

SlabLight slab_light(const Medium& medium, double thickness) {
  const Channels transport = effective_transport(medium), depth = mean_free_path(medium);
  const Channels beyond = 2.0 / 3 * boundary_mismatch(medium.index) * depth;
  const Channels albedo = reduced_albedo(medium), width = thickness + 2 * beyond;
  return {albedo * source_share(transport, width - beyond - depth, beyond, width),
          albedo * source_share(transport, depth + beyond, beyond, width)};
}

}  // namespace brisance::render::media
