#include "brisance/contact/surface/penetration_search.hpp"

#include "brisance/core/memory.hpp"

#include "contact/array_vec.hpp"
#include "contact/box_list.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brisance::contact {

namespace {

/// Tolerance over the edge length: a point on the plane of a facet at rest, to rounding, is not behind it.
constexpr double kOnPlane = 1e-6;

/// Upper bound of the rounding of a position to single precision, over its distance from the origin.
constexpr double kPlaceRounding = 2e-7;

/// Larger than the relative error of comparisons of distances in single precision.
constexpr float kOutward = 1 + 2e-6F;

/// A distance larger by this factor belongs to another foot.
constexpr double kFarther = 1 + 1e-6;

/// Is the foot inside the facet, not on its rim?
bool is_inside(const FacetView& view) { return weighs(view, 0) && weighs(view, 1) && weighs(view, 2); }

/// Distance between the foot and the rim of its facet, in depths of the point, below which another facet may be as
/// near: d cot(θ/2) from a wedge of angle θ.
constexpr double kRim = 4;

/// Is the foot of a point behind the facet on the rim, or that near to it?
bool may_leave(const FacetCorners& x, const FacetView& view) {
  const double doubled_area = (x[1] - x[0]).cross(x[2] - x[0]).norm();
  for (std::size_t k = 0; k < 3; ++k) {
    const double edge = (x[(k + 2) % 3] - x[(k + 1) % 3]).norm();
    if (!(view.weight[k] * doubled_area > kRim * view.distance * edge)) return true;
  }
  return false;
}

/// Number of facets ahead of the one tested whose data are fetched from memory: bounds, and of facets without a present
/// bound the facet, and then its corners.
constexpr std::size_t kBoundsAhead = 12, kFacetsAhead = 8, kCornersAhead = 4;

/// Cosine in single precision above which two normals do not oppose.
constexpr float kOpposing = 1e-5F;

}  // namespace

bool may_touch(const ContactPoint& point, const ContactFacet& facet) {
  if (point.is_on_edge() ? std::ranges::find(facet.node, point.node) != facet.node.end()
                         : std::ranges::find(facet.id, point.id) != facet.id.end())
    return false;
  if (point.body != facet.body) return true;
  const FacetView view = view_facet({vec(facet.rest[0]), vec(facet.rest[1]), vec(facet.rest[2])}, point.rest);
  const bool is_in_wall = view.distance > kOnPlane * facet.edge_m && view.distance < kWallShare * facet.edge_m &&
                          view.behind() >= kLeastBehind;
  return !is_in_wall;
}

FacetCorners PenetrationSearch::corners(const std::array<std::int32_t, 3>& node) const {
  const auto at = [&](std::size_t k) -> const Vec3& { return position_[static_cast<std::size_t>(node[k])]; };
  return {at(0), at(1), at(2)};
}

void PenetrationSearch::update(const ContactSurface& surface, const FacetGrid& grid, FacetBounds& bounds,
                               std::span<const Vec3> position) {
  surface_ = &surface;
  grid_ = &grid;
  position_ = position;
  bounds_ = &bounds;
  last_.resize(surface.points().size(), -1);
}

/// Starts a search with the last nearest facet, which most often still is: others are then skipped early.
PenetrationSearch::Seeker PenetrationSearch::seek(std::size_t p) {
  near_.clear();
  facet_.clear();
  const ContactPoint& point = surface_->points()[p];
  const Vec3 from_origin = position_[static_cast<std::size_t>(point.node)] - bounds_->origin();
  Seeker seeker{.point = point,
                .place = from_origin.cast<float>(),
                .rounding = above(kPlaceRounding * (from_origin.lpNorm<1>() + point.edge_m)),
                .reach = above(point.deepest_m)};
  if (last_[p] >= 0) add_if_it_opposes(seeker, last_[p]);
  return seeker;
}

/// Most of the time of a search is waiting for memory.
void PenetrationSearch::fetch_ahead(std::size_t i) const {
  const auto with_facet = [&](std::size_t ahead, const auto& act) {
    if (i + ahead < met_.size()) act(static_cast<std::size_t>(met_[i + ahead]));
  };
  with_facet(kBoundsAhead, [&](std::size_t f) { bounds_->fetch(f); });
  with_facet(kFacetsAhead, [&](std::size_t f) { bounds_->fetch_facet(f); });
  with_facet(kCornersAhead, [&](std::size_t f) { bounds_->fetch_corners(f); });
}

void PenetrationSearch::find_opposing(std::size_t p) {
  Seeker seeker = seek(p);
  const std::int32_t last = last_[p];
  grid_->find_within(position_[static_cast<std::size_t>(seeker.point.node)], seeker.reach, met_);
  for (std::size_t i = 0; i < met_.size(); ++i) {
    fetch_ahead(i);
    if (met_[i] != last) add_if_it_opposes(seeker, met_[i]);
  }
}

void PenetrationSearch::add_if_it_opposes(Seeker& seeker, std::int32_t number) {
  const FacetBound& bound = bounds_->of(static_cast<std::size_t>(number));
  const Eigen::Map<const Eigen::Vector3f> bound_centre(bound.centre.data()), bound_normal(bound.normal.data());
  const Eigen::Vector3f away = seeker.place - bound_centre;
  const float from_sphere = away.norm() / kOutward - bound.radius,
              from_plane = std::abs(away.dot(bound_normal)) / kOutward - bound.radius * kOpposing,
              least = std::max(from_sphere, from_plane) - seeker.rounding;
  const double deepest_m = std::min(seeker.point.deepest_m, bound.deepest_m);
  if (!(least <= std::min<double>(seeker.reach, deepest_m))) return;
  if (!seeker.has_normal) take_normal(seeker);
  if (seeker.direction.dot(bound_normal) > kOpposing) return;

  const double within = std::min(deepest_m, seeker.nearest * kFarther);
  const FacetView view =
      view_facet(corners(bound.node), position_[static_cast<std::size_t>(seeker.point.node)], within);
  if (view.distance > within || !(view.normal.dot(seeker.normal) < 0)) return;
  if (!may_touch(seeker.point, surface_->facets()[static_cast<std::size_t>(number)])) return;
  seeker.nearest = std::min(seeker.nearest, view.distance);
  seeker.reach = std::min(seeker.reach, above(seeker.nearest * kFarther));
  near_.push_back({.view = view, .key = bound.key});
  facet_.push_back(number);
}

void PenetrationSearch::take_normal(Seeker& seeker) const {
  seeker.has_normal = true;
  seeker.normal = normal_at(seeker.point, position_);
  const double size = seeker.normal.norm();
  if (size > 0) seeker.direction = (seeker.normal / size).cast<float>();
}

/// Finds the facets at the foot.
void PenetrationSearch::find_around(const ContactPoint& point, std::int32_t number, const FacetView& view) {
  around_.clear();
  if (is_inside(view)) return;
  const auto& node = surface_->facets()[static_cast<std::size_t>(number)].node;
  const auto heaviest = static_cast<std::size_t>(std::ranges::max_element(view.weight) - view.weight.begin());
  for (const std::int32_t f : surface_->facets_of(node[heaviest])) {
    const ContactFacet& facet = surface_->facets()[static_cast<std::size_t>(f)];
    bool has_all = true;
    for (std::size_t k = 0; k < 3; ++k)
      has_all = has_all && (!weighs(view, k) || std::ranges::find(facet.node, node[k]) != facet.node.end());
    if (!has_all || f == number || !may_touch(point, facet)) continue;
    const FacetView seen = view_facet(corners(facet.node), position_[static_cast<std::size_t>(point.node)]);
    if (seen.distance <= deepest(point, facet)) around_.push_back({.view = seen, .key = facet.key});
  }
}

OpposingFacet PenetrationSearch::opposing(const ContactPoint& point, std::int32_t facet, const FacetView& view) {
  const NearFacet seen{.view = view, .key = surface_->facets()[static_cast<std::size_t>(facet)].key};
  if (!may_be_behind(seen)) return {facet, view, false};
  find_around(point, facet, view);
  return {facet, view, has_come_through(seen, around_)};
}

std::optional<OpposingFacet> PenetrationSearch::nearest(std::size_t p) {
  if (surface_->points()[p].around.empty()) return std::nullopt;
  find_opposing(p);
  const std::optional<std::size_t> nearest = nearest_facet(near_);
  last_[p] = nearest ? facet_[*nearest] : -1;
  if (!nearest) return std::nullopt;
  return opposing(surface_->points()[p], facet_[*nearest], near_[*nearest].view);
}

/// Sets last_ to the facet; false if it is unknown.
bool PenetrationSearch::knows(std::size_t p, std::int64_t key) {
  if (last_[p] < 0 || surface_->facets()[static_cast<std::size_t>(last_[p])].key != key)
    last_[p] = surface_->find(key);  // after a restart, or if the facet was gathered anew
  return last_[p] >= 0;
}

std::optional<OpposingFacet> PenetrationSearch::kept(std::size_t p, std::int64_t key) {
  if (!knows(p, key)) return std::nullopt;
  const ContactPoint& point = surface_->points()[p];
  const ContactFacet& facet = surface_->facets()[static_cast<std::size_t>(last_[p])];
  const FacetCorners x = corners(facet.node);
  const FacetView view = view_facet(x, position_[static_cast<std::size_t>(point.node)]);
  // A facet that is farther away may be unknown to a rank.
  if (view.distance > deepest(point, facet)) return std::nullopt;
  if (view.behind() > 0 && may_leave(x, view)) return std::nullopt;
  return opposing(point, last_[p], view);
}

std::optional<OpposingFacet> PenetrationSearch::nearest_around(std::size_t p, std::int64_t key) {
  if (!knows(p, key)) return std::nullopt;
  const std::array<std::int32_t, 3> centre = surface_->facets()[static_cast<std::size_t>(last_[p])].node;
  Seeker seeker = seek(p);  // ranks know all facets within its reach
  for (const std::int32_t corner : centre)
    for (const std::int32_t f : surface_->facets_of(corner))
      if (f != last_[p] && std::ranges::find(facet_, f) == facet_.end()) add_if_it_opposes(seeker, f);
  const std::optional<std::size_t> nearest = nearest_facet(near_);
  if (!nearest) return std::nullopt;
  const std::int32_t found = facet_[*nearest];
  const FacetView view = near_[*nearest].view;
  if (!is_inside(view)) {
    const auto& node = surface_->facets()[static_cast<std::size_t>(found)].node;
    bool knows_all = false;
    for (std::size_t k = 0; k < 3; ++k)
      knows_all = knows_all || (weighs(view, k) && std::ranges::find(centre, node[k]) != centre.end());
    if (!knows_all) return std::nullopt;
  }
  last_[p] = found;
  return opposing(surface_->points()[p], found, view);
}

std::size_t PenetrationSearch::memory_bytes() const { return core::bytes_of(last_, near_, facet_, around_, met_); }

}  // namespace brisance::contact
