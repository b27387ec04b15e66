#include "brisance/contact/surface/facet_bounds.hpp"

#include "brisance/core/memory.hpp"

#include "contact/box_list.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <hwy/cache_control.h>

namespace brisance::contact {

namespace {

/// Upper bound of the rounding of a position to single precision, over its distance from the origin.
constexpr double kRoundingOfCentre = 2e-7;

}  // namespace

void FacetBounds::update(const ContactSurface& surface, std::span<const Vec3> position) {
  surface_ = &surface;
  position_ = position;
  origin_ = Vec3::Zero();
  if (!surface.points().empty()) {
    const Vec3& first = position[static_cast<std::size_t>(surface.points().front().node)];
    if (first.allFinite()) origin_ = first;
  }
  bounds_.resize(surface.facets().size());
  ++num_updates_;
}

FacetBound FacetBounds::compute(std::size_t number) const {
  FacetBound bound;
  bound.update = num_updates_;
  const ContactFacet& facet = surface_->facets()[number];
  bound.key = facet.key;
  if (facet.is_gone()) {
    bound.centre[0] = std::numeric_limits<float>::infinity();
    return bound;
  }
  const auto at = [&](std::size_t k) -> const Vec3& { return position_[static_cast<std::size_t>(facet.node[k])]; };
  const Vec3 centre = (at(0) + at(1) + at(2)) / 3 - origin_, doubled_area = (at(1) - at(0)).cross(at(2) - at(0));
  double squared = 0;
  for (std::size_t k = 0; k < 3; ++k) squared = std::max(squared, (at(k) - origin_ - centre).squaredNorm());
  const double size = doubled_area.norm();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    bound.centre[k] = static_cast<float>(centre[axis]);
    bound.normal[k] = size > 0 ? static_cast<float>(doubled_area[axis] / size) : 0;
  }
  bound.radius = above(std::sqrt(squared) + kRoundingOfCentre * centre.lpNorm<1>());
  bound.node = facet.node;
  bound.deepest_m = facet.deepest_m;
  return bound;
}

void FacetBounds::fetch(std::size_t facet) const { hwy::Prefetch(&bounds_[facet]); }

void FacetBounds::fetch_facet(std::size_t facet) const {
  if (is_stale(facet)) hwy::Prefetch(&surface_->facets()[facet]);
}

void FacetBounds::fetch_corners(std::size_t facet) const {
  if (is_stale(facet))
    for (const std::int32_t node : surface_->facets()[facet].node)
      hwy::Prefetch(&position_[static_cast<std::size_t>(node)]);
}

std::size_t FacetBounds::memory_bytes() const { return core::bytes_of(bounds_); }

}  // namespace brisance::contact
