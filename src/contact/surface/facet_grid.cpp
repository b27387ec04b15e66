#include "brisance/contact/surface/facet_grid.hpp"

#include "brisance/core/memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brisance::contact {

namespace {

/// Share of the facets: up to so many new ones are searched one by one, more are sorted into the grid.
constexpr double kMostPut = 0.002;

/// More than the relative rounding error of a displacement.
constexpr double kDisplacementRounding = 1 + 1e-9;

double mean_edge(const ContactSurface& surface) {
  double sum = 0;
  for (const ContactPoint& point : surface.points()) sum += point.edge_m;
  return surface.points().empty() ? 1 : sum / static_cast<double>(surface.points().size());
}

/// Calls act(node) for all surface nodes that this rank knows: those of its points, then others'.
template <class Act>
void for_each_node(const ContactSurface& surface, const Act& act) {
  for (const ContactSurface::BoundaryNode& here : surface.boundary_nodes()) act(static_cast<std::size_t>(here.node));
  for (std::size_t node = surface.numbering().first_foreign(); node < surface.numbering().size(); ++node) {
    const auto number = static_cast<std::int32_t>(node);
    const bool is_gone = surface.numbering().embedded(number) != nullptr && surface.facets_of(number).empty();
    if (!is_gone) act(node);
  }
}

Sphere sphere_of(const FacetBound& bound, const Vec3& origin) {
  return {origin + Vec3(bound.centre[0], bound.centre[1], bound.centre[2]), bound.radius};
}

}  // namespace

void FacetGrid::update(const ContactSurface& surface, FacetBounds& bounds, std::span<const Vec3> position) {
  place_.resize(surface.numbering().size(), Vec3::Constant(std::numeric_limits<double>::quiet_NaN()));
  follow(surface, position);
  const auto num_facets = surface.facets().size();
  const auto num_put = static_cast<double>(facets_.num_put() + num_facets - num_known_);
  if (!(moved_m_ <= skin_m_) || num_put > kMostPut * static_cast<double>(num_facets))
    sort(surface, bounds, position);
  else
    put_new(surface, bounds);
  num_known_ = num_facets;
}

/// Moves the frame by the mean displacement of nodes, and gives new nodes a place in it.
void FacetGrid::follow(const ContactSurface& surface, std::span<const Vec3> position) {
  Vec3 sum = Vec3::Zero();
  std::size_t count = 0;
  for_each_node(surface, [&](std::size_t node) {
    const Vec3 way = position[node] - place_[node];
    if (!way.allFinite()) return;
    sum += way;
    ++count;
  });
  frame_ = sum / static_cast<double>(std::max<std::size_t>(count, 1));
  double squared = 0;
  for_each_node(surface, [&](std::size_t node) {
    if (has_place(node))
      squared = std::max(squared, (position[node] - frame_ - place_[node]).squaredNorm());
    else
      place_[node] = position[node] - frame_;
  });
  moved_m_ = std::sqrt(squared) * kDisplacementRounding;
}

void FacetGrid::put_new(const ContactSurface& surface, FacetBounds& bounds) {
  for (std::size_t f = num_known_; f < surface.facets().size(); ++f)
    if (const FacetBound& bound = bounds.of(f); !bound.is_gone()) {
      Sphere sphere = sphere_of(bound, bounds.origin());
      sphere.centre -= frame_;
      facets_.put(static_cast<std::int32_t>(f), sphere);
    }
}

void FacetGrid::sort(const ContactSurface& surface, FacetBounds& bounds, std::span<const Vec3> position) {
  std::copy_n(position.begin(), place_.size(), place_.begin());
  frame_ = Vec3::Zero();
  moved_m_ = 0;
  facets_.build(
      surface.facets().size(),
      [&](std::size_t f) {
        const FacetBound& bound = bounds.of(f);
        return bound.is_gone() ? Sphere{} : sphere_of(bound, bounds.origin());
      },
      bounds.origin(), mean_edge(surface));
}

std::size_t FacetGrid::memory_bytes() const { return core::bytes_of(place_) + facets_.memory_bytes(); }

}  // namespace brisance::contact
