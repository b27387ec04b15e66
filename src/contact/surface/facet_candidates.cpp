#include "brisance/contact/surface/facet_candidates.hpp"

#include "brisance/contact/surface/point_facet.hpp"
#include "brisance/contact/surface/point_grid.hpp"
#include "brisance/core/memory.hpp"

#include "contact/box_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace brisance::contact {

namespace {

/// Of the edge length: a point on the plane of a facet at rest, to rounding, is not behind it.
constexpr double kOnPlane = 1e-6;

FacetCorners corners_at(const ContactFacet& facet, std::span<const Vec3> position) {
  return {position[static_cast<std::size_t>(facet.slot[0])], position[static_cast<std::size_t>(facet.slot[1])],
          position[static_cast<std::size_t>(facet.slot[2])]};
}

double mean_extent(const ContactSurface& surface, std::span<const Vec3> position) {
  double sum = 0;
  for (const ContactFacet& facet : surface.facets) {
    const FacetCorners x = corners_at(facet, position);
    sum += (x[1] - x[0]).norm();
  }
  return surface.facets.empty() ? 1 : sum / static_cast<double>(surface.facets.size());
}

}  // namespace

bool may_touch(const ContactPoint& point, const ContactFacet& facet) {
  if (std::ranges::find(facet.node, point.id) != facet.node.end()) return false;
  if (point.body != facet.body) return true;
  const FacetView view = view_facet(facet.rest, point.rest);
  const bool is_in_wall = view.distance > kOnPlane * facet.edge_m && view.distance < kWallShare * facet.edge_m &&
                          view.behind() >= kLeastBehind;
  return !is_in_wall;
}

void FacetCandidates::detect(const ContactSurface& surface, std::span<const Vec3> position, double skin_m) {
  detected_at_.clear();
  for (const ContactPoint& point : surface.points)
    detected_at_.push_back(position[static_cast<std::size_t>(point.slot)]);
  const double extent = mean_extent(surface, position);
  const PointGrid grid(detected_at_, extent > 0 ? extent : 1);

  struct Found {
    std::int32_t point;
    Candidate candidate;
  };
  std::vector<Found> found;
  for (std::size_t f = 0; f < surface.facets.size(); ++f) {
    const ContactFacet& facet = surface.facets[f];
    const FacetCorners x = corners_at(facet, position);
    const double reach = kDeepestShare * facet.edge_m + skin_m;
    const Vec3 margin = Vec3::Constant(reach);
    const Vec3 low = x[0].cwiseMin(x[1]).cwiseMin(x[2]) - margin, high = x[0].cwiseMax(x[1]).cwiseMax(x[2]) + margin;
    grid.for_each_in(low, high, [&](std::size_t p) {
      const double distance = view_facet(x, detected_at_[p]).distance;
      if (distance > reach || !may_touch(surface.points[p], facet)) return;
      found.push_back({static_cast<std::int32_t>(p), {static_cast<std::int32_t>(f), below(distance)}});
    });
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    if (a.point != b.point) return a.point < b.point;
    if (a.candidate.distance_m != b.candidate.distance_m) return a.candidate.distance_m < b.candidate.distance_m;
    return a.candidate.facet < b.candidate.facet;
  });
  candidates_.clear();
  first_.assign(surface.points.size() + 1, 0);
  for (const Found& pair : found) {
    candidates_.push_back(pair.candidate);
    ++first_[static_cast<std::size_t>(pair.point) + 1];
  }
  for (std::size_t p = 0; p < surface.points.size(); ++p) first_[p + 1] += first_[p];
}

double FacetCandidates::travel(const core::Comm& comm, const ContactSurface& surface,
                               std::span<const Vec3> position) const {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  std::array<double, 6> extremes{kNone, kNone, kNone, kNone, kNone, kNone};
  for (std::size_t p = 0; p < surface.points.size(); ++p) {
    const Vec3 way = position[static_cast<std::size_t>(surface.points[p].slot)] - detected_at_[p];
    for (std::size_t k = 0; k < 3; ++k) {
      extremes[k] = std::max(extremes[k], way[static_cast<Eigen::Index>(k)]);
      extremes[3 + k] = std::max(extremes[3 + k], -way[static_cast<Eigen::Index>(k)]);
    }
  }
  extremes = comm.max(extremes);
  Vec3 range = Vec3::Zero();
  for (std::size_t k = 0; k < 3; ++k)
    if (extremes[k] > kNone) range[static_cast<Eigen::Index>(k)] = extremes[k] + extremes[3 + k];
  return range.norm();
}

std::size_t FacetCandidates::memory_bytes() const { return core::bytes_of(candidates_, first_, detected_at_); }

}  // namespace brisance::contact
