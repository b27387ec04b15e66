#include "fresnel_moments.hpp"

#include <cmath>

namespace brisance::render::media {

double external_reflectance(double index) {
  const double n = index, n2 = n * n, n4 = n2 * n2;
  if (n - 1 < 1e-4) return (n - 1) / 3;  // the leading term: the others below cancel to no digit
  const double rational =
      0.5 + (n - 1) * (3 * n + 1) / (6 * (n + 1) * (n + 1)) - 2 * n * n2 * (n2 + 2 * n - 1) / ((n2 + 1) * (n4 - 1));
  const double logarithms = n2 * (n2 - 1) * (n2 - 1) / std::pow(n2 + 1, 3) * std::log((n - 1) / (n + 1)) +
                            8 * n4 * (n4 + 1) / ((n2 + 1) * (n4 - 1) * (n4 - 1)) * std::log(n);
  return rational + logarithms;
}

double internal_reflectance(double index) { return 1 - (1 - external_reflectance(index)) / (index * index); }

double internal_reflectance_fit(double index) {
  return -1.440 / (index * index) + 0.710 / index + 0.668 + 0.0636 * index;
}

double boundary_mismatch(double index) {
  const double inside = index > 1 ? internal_reflectance_fit(index) : 0;
  return (1 + inside) / (1 - inside);
}

}  // namespace brisance::render::media
