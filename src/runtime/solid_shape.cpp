// SPDX-License-Identifier: MIT
/// Volume, centre and inertia of several solids together.
#include "brisance/runtime/impact_set.hpp"

namespace brisance::runtime {

namespace {

/// Inertia tensor of a point mass at distance d: m (d·d I − d dᵀ).
void add_point_inertia(double mass, const std::array<double, 3>& d, std::array<double, 6>& inertia) {
  const auto [x, y, z] = d;
  const std::array<double, 6> unit{y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -y * z, -z * x};
  for (int k = 0; k < 6; ++k) inertia[k] += mass * unit[k];
}

}  // namespace

SolidShape combined(Span<const SolidShape> solids) {
  SolidShape sum;
  for (const SolidShape& s : solids) {
    sum.volume += s.volume;
    for (int k = 0; k < 3; ++k) sum.centre[k] += s.volume * s.centre[k];
  }
  if (sum.volume <= 0) return {};
  for (double& x : sum.centre) x /= sum.volume;

  // Steiner: each solid's own inertia plus that of its mass at its centre.
  for (const SolidShape& s : solids) {
    for (int k = 0; k < 6; ++k) sum.inertia[k] += s.inertia[k];
    add_point_inertia(s.volume, {s.centre[0] - sum.centre[0], s.centre[1] - sum.centre[1], s.centre[2] - sum.centre[2]},
                      sum.inertia);
  }
  return sum;
}

}  // namespace brisance::runtime
