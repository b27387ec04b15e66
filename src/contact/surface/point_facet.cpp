#include "brisance/contact/surface/point_facet.hpp"

#include "contact/rigid_triangle.hpp"

#include <cmath>

namespace brisance::contact {

namespace {

/// Relative difference of distances to one foot, computed from the facets that share it.
constexpr double kSameDistance = 1e-9;

std::array<double, 3> barycentric(const FacetCorners& x, const Vec3& doubled_area, const Vec3& foot) {
  const double whole = doubled_area.squaredNorm();
  if (!(whole > 0)) return {1, 0, 0};
  const double a = (x[1] - foot).cross(x[2] - foot).dot(doubled_area) / whole;
  const double b = (x[2] - foot).cross(x[0] - foot).dot(doubled_area) / whole;
  return {a, b, 1 - a - b};
}

}  // namespace

FacetView view_facet(const FacetCorners& facet, const Vec3& point) {
  const Vec3 doubled_area = (facet[1] - facet[0]).cross(facet[2] - facet[0]);
  const Vec3 foot = nearest_of_triangle(facet[0], facet[1], facet[2], point).point;
  FacetView view;
  view.gap = foot - point;
  view.distance = view.gap.norm();
  const double size = doubled_area.norm();
  if (size > 0) view.normal = doubled_area / size;
  view.weight = barycentric(facet, doubled_area, foot);
  return view;
}

std::optional<std::size_t> penetrated_facet(std::span<const NearFacet> near) {
  std::size_t nearest = near.size();
  for (std::size_t i = 0; i < near.size(); ++i)
    if (near[i].opposes && (nearest == near.size() || near[i].view.distance < near[nearest].view.distance)) nearest = i;
  if (nearest == near.size()) return std::nullopt;

  const double least = near[nearest].view.distance;
  const Vec3& gap = near[nearest].view.gap;
  std::size_t chosen = near.size(), straightest = near.size();
  const auto sees_straighter = [&](std::size_t i, std::size_t than) {
    if (than == near.size()) return true;
    const double a = std::abs(near[i].view.behind()), b = std::abs(near[than].view.behind());
    return a != b ? a > b : near[i].key < near[than].key;
  };
  for (std::size_t i = 0; i < near.size(); ++i) {
    if ((near[i].view.gap - gap).norm() > kSameDistance * least) continue;  // another foot
    if (sees_straighter(i, straightest)) straightest = i;
    if (near[i].opposes && near[i].view.distance <= (1 + kSameDistance) * least && sees_straighter(i, chosen))
      chosen = i;
  }
  const NearFacet& facet = near[chosen];
  const bool is_behind = near[straightest].view.behind() > 0 && facet.view.behind() >= kLeastBehind;
  if (!is_behind) return std::nullopt;
  return chosen;
}

}  // namespace brisance::contact
