/// Light inside a closed body as a random walk: the reference for every approximation.
#pragma once

#include "brisance/core/random.hpp"
#include "brisance/core/types.hpp"

#include "medium.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace brisance::render::media {

/// Uniform numbers in [0, 1) keyed by a walk: neither threads nor other walks change them.
class WalkNumbers {
public:
  explicit WalkNumbers(std::uint64_t key) : key_(key) {}
  [[nodiscard]] double next() { return core::hash_uniform(key_, count_++, 0); }

private:
  std::uint64_t key_, count_ = 0;
};

/// Where a straight flight meets the surface of the body.
struct BoundaryPoint {
  double distance;  ///< along the flight [m]
  Vec3 normal;      ///< unit, out of the body
};

/// The first point of the surface within `reach` [m] of a point inside, in a unit direction; nothing if there is none.
using FindSurface = std::function<std::optional<BoundaryPoint>(const Vec3& point, const Vec3& direction, double reach)>;

struct WalkSettings {
  Channels weight = Channels::Ones();  ///< of the light at the start: heavier channels are followed more closely
  double anisotropy =
      0;  ///< mean cosine g of the phase function of Henyey and Greenstein, in (−1, 1); σ_s = σ'_s/(1 − g)
  double surface_offset = 0;         ///< how far inside the surface a reflected flight begins, for inexact surfaces [m]
  bool has_fresnel_boundary = true;  ///< off: light leaves wherever it meets the surface, without refraction
};

/// The end of a walk at the surface.
struct WalkEnd {
  Vec3 position;   ///< on the surface [m]
  Vec3 normal;     ///< unit, out of the body
  Vec3 direction;  ///< unit, of travel outside, refracted
  Channels weight;
  int num_scatterings;  ///< 0: crossed unscattered
};

/// Follows light from a point at the surface until it leaves. Free flights are exponential with the extinction of a
/// channel chosen by weight; all three are carried along under the balance heuristic, so that the sum of the weights
/// never grows. Absorption is a weight and Russian roulette, reflection at the boundary a random choice with the
/// Fresnel probability. Unbiased: the mean weight is the share of the light that leaves.
///
/// Nothing is returned if the light was absorbed, or lost through a gap in the surface.
/// @param start  on the surface or inside [m]; @param direction  unit, of travel inside
[[nodiscard]] std::optional<WalkEnd> random_walk(const Medium& medium, const WalkSettings& settings, const Vec3& start,
                                                 const Vec3& direction, const FindSurface& find_surface,
                                                 WalkNumbers& numbers);

/// A unit direction whose cosine with `axis` has the density of Henyey and Greenstein; g = 0 is isotropic.
[[nodiscard]] Vec3 scattered_direction(const Vec3& axis, double anisotropy, double u, double v);

}  // namespace brisance::render::media
