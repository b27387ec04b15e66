// SPDX-License-Identifier: MIT
/// Gram–Schmidt and projection in the mass norm of the atoms.
#include "brisance/runtime/projection.hpp"

#include <cmath>

namespace brisance::runtime {

namespace {

double dot(Span<const double> u, Span<const double> v, Span<const double> weight, int components) {
  double sum = 0;
  for (std::size_t a = 0; a < weight.size(); ++a)
    for (int k = 0; k < components; ++k) sum += weight[a] * u[components * a + k] * v[components * a + k];
  return sum;
}

void add(Span<double> u, double factor, Span<const double> v) {
  for (std::size_t i = 0; i < u.size(); ++i) u[i] += factor * v[i];
}

}  // namespace

std::vector<int> orthonormalise(AtomModes& modes, Span<const double> weight, double smallest_norm) {
  const std::size_t size = weight.size() * modes.components;
  const std::size_t num_modes = size == 0 ? 0 : modes.value.size() / size;
  std::vector<int> kept;
  for (std::size_t i = 0; i < num_modes; ++i) {
    const Span<double> u(&modes.value[i * size], size);
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t j = 0; j < kept.size(); ++j) {
        const Span<const double> v(&modes.value[j * size], size);
        add(u, -dot(u, v, weight, modes.components), v);
      }
    const double norm = std::sqrt(dot(u, u, weight, modes.components));
    if (norm < smallest_norm || norm == 0) continue;
    for (std::size_t n = 0; n < size; ++n) modes.value[kept.size() * size + n] = u[n] / norm;
    kept.push_back(static_cast<int>(i));
  }
  modes.value.resize(kept.size() * size);
  return kept;
}

std::vector<double> project(const AtomModes& modes, Span<const double> weight, Span<const double> displacement) {
  const std::size_t size = displacement.size();
  std::vector<double> projected(size, 0);
  for (std::size_t start = 0; size > 0 && start < modes.value.size(); start += size) {
    const Span<const double> u(&modes.value[start], size);
    add(projected, dot(u, displacement, weight, modes.components), u);
  }
  return projected;
}

}  // namespace brisance::runtime
