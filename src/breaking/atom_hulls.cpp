/// Approximate convex decomposition of a set of tets: splits at the plane, out of a few, whose two hulls are smallest.
#include "atom_hulls.hpp"

#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/rigid/hull.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brisance::breaking {

namespace {

constexpr double kExcess = 0.1;  ///< of all hulls over the volume, where division ends: about the roughness of cracks
constexpr double kFarFromConvex = 0.3;  ///< excess over volume above which a part is always divided

/// Directions spread evenly over the sphere (Fibonacci lattice).
std::vector<Vec3> directions(int count) {
  std::vector<Vec3> result;
  const double golden_angle = std::numbers::pi * (3 - std::sqrt(5.0));
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, r = std::sqrt(1 - z * z);
    result.emplace_back(r * std::cos(golden_angle * i), r * std::sin(golden_angle * i), z);
  }
  return result;
}

using Tets = std::vector<std::array<std::int32_t, 4>>;

struct Part {
  Tets tets;
  std::vector<Vec3> hull;
  double volume = 0, excess = 0;  ///< of the tets; excess of the hull over it [m³]
};

class Division {
public:
  Division(std::span<const Vec3> nodes, const HullParameters& parameters)
      : nodes_(nodes), directions_(directions(parameters.directions)), kept_whole_(parameters.kept_whole) {}

  [[nodiscard]] Part part(Tets tets) const {
    Part p;
    for (const auto& t : tets) p.volume += mesh::tet_volume(nodes_[t[0]], nodes_[t[1]], nodes_[t[2]], nodes_[t[3]]);
    p.hull = extreme_nodes(tets);
    p.excess = std::max(rigid::hull_volume(p.hull) - p.volume, 0.0);
    p.tets = std::move(tets);
    return p;
  }

  /// The two halves of least excess over planes normal to the axes, at quarters of the extent; none if nothing is
  /// gained. A ring gains only by its second cut: parts far from convex are divided in any case.
  [[nodiscard]] std::vector<Part> halves(const Part& whole) const {
    std::vector<Part> best;
    double least = whole.excess > kFarFromConvex * whole.volume ? 2 * whole.excess : whole.excess;
    for (int axis = 0; axis < 3; ++axis)
      for (const double share : {0.25, 0.5, 0.75}) {
        std::array<Tets, 2> sides = divided(whole.tets, axis, share);
        if (sides[0].empty() || sides[1].empty()) continue;
        Part low = part(std::move(sides[0])), high = part(std::move(sides[1]));
        if (low.excess + high.excess >= least) continue;
        least = low.excess + high.excess;
        best = {std::move(low), std::move(high)};
      }
    return best;
  }

private:
  [[nodiscard]] std::vector<Vec3> extreme_nodes(const Tets& tets) const {
    std::vector<std::int32_t> all;
    for (const auto& t : tets) all.insert(all.end(), t.begin(), t.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::vector<std::int32_t> extreme;
    if (all.size() <= kept_whole_) extreme = all;
    for (const Vec3& d : directions_) {
      if (all.size() <= kept_whole_) break;
      extreme.push_back(*std::max_element(
          all.begin(), all.end(), [&](std::int32_t a, std::int32_t b) { return d.dot(nodes_[a]) < d.dot(nodes_[b]); }));
    }
    std::sort(extreme.begin(), extreme.end());
    extreme.erase(std::unique(extreme.begin(), extreme.end()), extreme.end());
    std::vector<Vec3> points;
    for (const std::int32_t n : extreme) points.push_back(nodes_[n]);
    return points;
  }

  [[nodiscard]] double centre(const std::array<std::int32_t, 4>& t, int axis) const {
    return (nodes_[t[0]][axis] + nodes_[t[1]][axis] + nodes_[t[2]][axis] + nodes_[t[3]][axis]) / 4;
  }

  /// Divides tets by the positions of their centres.
  [[nodiscard]] std::array<Tets, 2> divided(const Tets& tets, int axis, double share) const {
    double low = centre(tets[0], axis), high = low;
    for (const auto& t : tets) {
      low = std::min(low, centre(t, axis));
      high = std::max(high, centre(t, axis));
    }
    std::array<Tets, 2> sides;
    for (const auto& t : tets) sides[centre(t, axis) > low + share * (high - low) ? 1 : 0].push_back(t);
    return sides;
  }

  std::span<const Vec3> nodes_;
  std::vector<Vec3> directions_;
  std::size_t kept_whole_;
};

}  // namespace

std::vector<std::vector<Vec3>> convex_parts(std::span<const Vec3> nodes, Tets tets, const HullParameters& parameters) {
  const Division division(nodes, parameters);
  std::vector<Part> parts{division.part(std::move(tets))}, finished;
  const double volume = parts[0].volume;
  double excess = parts[0].excess;
  while (!parts.empty() && parts.size() + finished.size() < parameters.most_parts && excess > kExcess * volume) {
    const auto worst =
        std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.excess < b.excess; });
    Part whole = std::move(*worst);
    parts.erase(worst);
    std::vector<Part> halves = division.halves(whole);
    if (halves.empty()) {
      finished.push_back(std::move(whole));
      continue;
    }
    excess -= whole.excess;
    for (Part& half : halves) {
      excess += half.excess;
      parts.push_back(std::move(half));
    }
  }
  std::vector<std::vector<Vec3>> hulls;
  for (auto* list : {&parts, &finished})
    for (Part& p : *list) hulls.push_back(std::move(p.hull));
  return hulls;
}

}  // namespace brisance::breaking
