// Where the others do not overlap each other, their volumes add up. Otherwise the tet is divided: each of the others
// removes the parts that lie in it, and cuts those that lie partly in it into smaller tets.
#include "contact/overlap/covered_volume.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace brisance::contact {

namespace {

using Corners = std::array<Vec3, 4>;

constexpr double kLeastPart = 1e-15;  ///< volume over the tet's; smaller parts are rounding

double volume_of(const Corners& c) { return std::abs((c[1] - c[0]).cross(c[2] - c[0]).dot(c[3] - c[0])) / 6; }

void add_prism(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, std::vector<Corners>& tets) {
  tets.push_back({a[0], a[1], a[2], b[2]});
  tets.push_back({a[0], a[1], b[1], b[2]});
  tets.push_back({a[0], b[0], b[1], b[2]});
}

/// Cuts a tet by the plane of a face of `by` into the part on the side of `by`, and the rest.
void cut(const Corners& tet, const PlacedTet& by, std::size_t face, std::vector<Corners>& inside,
         std::vector<Corners>& outside) {
  std::array<double, 4> height;
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  for (std::size_t k = 0; k < 4; ++k) height[k] = by.coordinate(face, tet[k]);
  const auto middle = std::stable_partition(order.begin(), order.end(), [&](std::size_t k) { return height[k] >= 0; });
  const auto num_inside = std::distance(order.begin(), middle);
  const auto x = [&](std::size_t i) { return tet[order[i]]; };
  const auto between = [&](std::size_t i, std::size_t j) {
    const double a = height[order[i]], b = height[order[j]];
    return Vec3(x(i) + a / (a - b) * (x(j) - x(i)));
  };
  switch (num_inside) {
    case 0:
      outside.push_back(tet);
      return;
    case 1:
      inside.push_back({x(0), between(0, 1), between(0, 2), between(0, 3)});
      add_prism({between(0, 1), between(0, 2), between(0, 3)}, {x(1), x(2), x(3)}, outside);
      return;
    case 2:
      add_prism({x(0), between(0, 2), between(0, 3)}, {x(1), between(1, 2), between(1, 3)}, inside);
      add_prism({x(2), between(0, 2), between(1, 2)}, {x(3), between(0, 3), between(1, 3)}, outside);
      return;
    case 3:
      add_prism({between(0, 3), between(1, 3), between(2, 3)}, {x(0), x(1), x(2)}, inside);
      outside.push_back({x(3), between(0, 3), between(1, 3), between(2, 3)});
      return;
    default:
      inside.push_back(tet);
  }
}

bool overlap(const PlacedTet& a, const PlacedTet& b) { return tet_overlap(a, b).volume > 0; }

/// Removes the volume inside `by` from the parts; returns that volume [m³].
double take_out(const PlacedTet& by, double least, std::vector<Corners>& parts) {
  double taken = 0;
  std::vector<Corners> left, within, next;
  for (const Corners& part : parts) {
    const double volume = volume_of(part);
    if (volume <= least) continue;
    Corners turned = part;
    if (placed_tet(turned).volume < 0) std::swap(turned[0], turned[1]);
    if (!overlap(placed_tet(turned), by)) {
      left.push_back(part);
      continue;
    }
    within.assign(1, part);
    for (std::size_t face = 0; face < 4; ++face) {
      next.clear();
      for (const Corners& piece : within) cut(piece, by, face, next, left);
      std::swap(within, next);
    }
    for (const Corners& piece : within) taken += volume_of(piece);
  }
  parts = std::move(left);
  return taken;
}

}  // namespace

double covered_volume(const PlacedTet& tet, std::span<const OverlappingTet> others) {
  std::vector<bool> is_shared(others.size(), false);  // whether it overlaps another of them
  for (std::size_t i = 0; i < others.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if ((!is_shared[i] || !is_shared[j]) && overlap(*others[i].tet, *others[j].tet))
        is_shared[i] = is_shared[j] = true;
  double covered = 0;
  std::vector<Corners> parts{tet.corner};
  for (std::size_t i = 0; i < others.size(); ++i)
    covered += is_shared[i] ? take_out(*others[i].tet, kLeastPart * tet.volume, parts) : others[i].volume;
  return std::min(covered, tet.volume);
}

}  // namespace brisance::contact
