#include "modes/search/rotate_modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace brisance::modes {

namespace {

constexpr double kSmallestGain = 1e-10;  ///< least relative gain in the energy of two modes for a rotation
constexpr double kNoJump = 1e-9;         ///< over the largest jump of the two
constexpr int kMostSweeps = 100;

/// Weighted jumps of two fields over the faces where either jumps.
struct Jumps {
  std::vector<double> a, b;

  [[nodiscard]] double energy(double cosine, double sine) const {
    double sum = 0;
    for (std::size_t f = 0; f < a.size(); ++f)
      sum += std::abs(cosine * a[f] + sine * b[f]) + std::abs(cosine * b[f] - sine * a[f]);
    return sum;
  }
};

Jumps jumps_of(const CellGraph& graph, std::span<const double> face_weight, const std::vector<double>& u,
               const std::vector<double>& v) {
  Jumps all, jumps;
  double largest = 0;
  for (std::size_t f = 0; f < graph.faces.size(); ++f) {
    const Face& face = graph.faces[f];
    all.a.push_back(face_weight[f] * (u[face.a] - u[face.b]));
    all.b.push_back(face_weight[f] * (v[face.a] - v[face.b]));
    largest = std::max(largest, std::hypot(all.a.back(), all.b.back()));
  }
  for (std::size_t f = 0; f < all.a.size(); ++f) {
    if (std::hypot(all.a[f], all.b[f]) <= kNoJump * largest) continue;
    jumps.a.push_back(all.a[f]);
    jumps.b.push_back(all.b[f]);
  }
  return jumps;
}

/// Rotates u and v in their plane to the lowest energy; false if they have it already.
bool turn(const CellGraph& graph, std::span<const double> face_weight, std::vector<double>& u, std::vector<double>& v) {
  const Jumps jumps = jumps_of(graph, face_weight, u, v);
  const double before = jumps.energy(1, 0);
  double best = before, best_cosine = 1, best_sine = 0;
  for (std::size_t f = 0; f < jumps.a.size(); ++f) {
    const double length = std::hypot(jumps.a[f], jumps.b[f]);
    const double cosine = jumps.a[f] / length, sine = jumps.b[f] / length;  // the jump of the rotated v vanishes here
    const double energy = jumps.energy(cosine, sine);
    if (energy < best) {
      best = energy;
      best_cosine = cosine;
      best_sine = sine;
    }
  }
  if (best >= before * (1 - kSmallestGain)) return false;
  for (std::size_t c = 0; c < u.size(); ++c) {
    const double x = u[c], y = v[c];
    u[c] = best_cosine * x + best_sine * y;
    v[c] = best_cosine * y - best_sine * x;
  }
  return true;
}

}  // namespace

std::vector<double> rotate_modes(const CellGraph& graph, std::span<const double> face_weight,
                                 std::vector<std::vector<double>>& fields) {
  bool turned = true;
  for (int sweep = 0; turned && sweep < kMostSweeps; ++sweep) {
    turned = false;
    for (std::size_t i = 0; i < fields.size(); ++i)
      for (std::size_t j = i + 1; j < fields.size(); ++j)
        if (turn(graph, face_weight, fields[i], fields[j])) turned = true;
  }
  std::vector<double> energies;
  for (const std::vector<double>& u : fields) {
    energies.push_back(0);
    for (std::size_t f = 0; f < graph.faces.size(); ++f)
      energies.back() += face_weight[f] * std::abs(u[graph.faces[f].a] - u[graph.faces[f].b]);
  }
  return energies;
}

}  // namespace brisance::modes
