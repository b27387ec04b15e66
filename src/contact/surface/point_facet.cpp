#include "brisance/contact/surface/point_facet.hpp"

#include "contact/shapes/rigid_triangle.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::contact {

namespace {

/// Largest relative difference of distances to one foot, computed from the facets that share it.
constexpr double kSameDistance = 1e-9;

/// Largest barycentric coordinate of a foot on an edge, by rounding.
constexpr double kOnEdge = 1e-9;

/// A total order of facets with different keys.
bool sees_straighter(const NearFacet& facet, const NearFacet& than) {
  const double a = std::abs(facet.view.behind()), b = std::abs(than.view.behind());
  return a != b ? a > b : facet.key < than.key;
}

std::array<double, 3> barycentric(const FacetCorners& x, const Vec3& doubled_area, const Vec3& foot) {
  const double whole = doubled_area.squaredNorm();
  if (!(whole > 0)) return {1, 0, 0};
  const double a = (x[1] - foot).cross(x[2] - foot).dot(doubled_area) / whole;
  const double b = (x[2] - foot).cross(x[0] - foot).dot(doubled_area) / whole;
  return {a, b, 1 - a - b};
}

}  // namespace

FacetView view_facet(const FacetCorners& facet, const Vec3& point, double within) {
  const Vec3 foot = nearest_of_triangle(facet[0], facet[1], facet[2], point).point;
  FacetView view;
  view.gap = foot - point;
  view.distance = view.gap.norm();
  if (view.distance > within) return view;
  const Vec3 doubled_area = (facet[1] - facet[0]).cross(facet[2] - facet[0]);
  const double size = doubled_area.norm();
  if (size > 0) view.normal = doubled_area / size;
  view.weight = barycentric(facet, doubled_area, foot);
  return view;
}

std::optional<std::size_t> nearest_facet(std::span<const NearFacet> opposing) {
  if (opposing.empty()) return std::nullopt;
  const auto distance = [](const NearFacet& facet) { return facet.view.distance; };
  const NearFacet& nearest = *std::ranges::min_element(opposing, {}, distance);
  const double most = (1 + kSameDistance) * nearest.view.distance;
  const NearFacet* chosen = nullptr;
  for (const NearFacet& facet : opposing)
    if (distance(facet) <= most && (chosen == nullptr || sees_straighter(facet, *chosen))) chosen = &facet;
  return static_cast<std::size_t>(chosen - opposing.data());
}

bool weighs(const FacetView& view, std::size_t k) { return view.weight[k] > kOnEdge; }

bool has_come_through(const NearFacet& nearest, std::span<const NearFacet> around) {
  if (!may_be_behind(nearest)) return false;
  const NearFacet* straightest = &nearest;
  for (const NearFacet& facet : around) {
    const bool has_foot = (facet.view.gap - nearest.view.gap).norm() <= kSameDistance * nearest.view.distance;
    if (has_foot && sees_straighter(facet, *straightest)) straightest = &facet;
  }
  return straightest->view.behind() > 0;
}

}  // namespace brisance::contact
