/// The singular field at a crack's tip, and the spread of what is measured at many tips.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/types.hpp"
#include "brisance/material/material.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

namespace brisance::test {

/// E = 1 GPa, ν = 0.25.
inline material::Material elastic() {
  material::Material m;
  m.name = "elastic";
  m.density = 1000;
  m.lame_lambda = m.lame_mu = 4e8;
  m.toughness = 1;
  m.toughness_mode = material::ToughnessMode::stress;
  return m;
}

/// Displacement of the singular field in plane strain [m].
inline Vec3 tip_displacement(const material::Material& m, double k1, double k2, const Vec3& x, bool is_below) {
  const double r = std::hypot(x.x(), x.y()), kappa = 3 - 4 * material::poissons_ratio(m);
  const double angle =
      std::abs(x.y()) < 1e-9 && x.x() < 0 ? (is_below ? -1 : 1) * std::numbers::pi : std::atan2(x.y(), x.x());
  const double c = std::cos(angle / 2), s = std::sin(angle / 2);
  const double q = std::sqrt(r / (2 * std::numbers::pi)) / (2 * m.lame_mu);
  return {q * (k1 * c * (kappa - 1 + 2 * s * s) + k2 * s * (kappa + 1 + 2 * c * c)),
          q * (k1 * s * (kappa + 1 - 2 * c * c) - k2 * c * (kappa - 1 - 2 * s * s)), 0};
}

struct Spread {
  std::vector<double> values;
  [[nodiscard]] double mean() const {
    double sum = 0;
    for (double x : values) sum += x / static_cast<double>(values.size());
    return sum;
  }
  [[nodiscard]] double deviation() const {
    double sum = 0;
    for (double x : values) sum += (x - mean()) * (x - mean()) / static_cast<double>(values.size());
    return std::sqrt(sum);
  }
  [[nodiscard]] double furthest_from(double centre) const {
    double furthest = 0;
    for (double x : values) furthest = std::max(furthest, std::abs(x - centre));
    return furthest;
  }
};

/// Gathers the results of all ranks, the same on all.
inline Spread of_all_ranks(const core::Comm& comm, const std::vector<double>& mine) {
  std::vector<double> all = comm.all_gather(std::span<const double>(mine));
  std::sort(all.begin(), all.end());
  return {all};
}

}  // namespace brisance::test
