#include "brisance/contact/surface/penetration_search.hpp"

#include "brisance/core/memory.hpp"

#include "contact/box_list.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <hwy/cache_control.h>

namespace brisance::contact {

namespace {

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

/// Candidates whose bounds are fetched from memory before they are needed.
constexpr std::size_t kAhead = 8;

/// Cosine in single precision above which two normals do not oppose.
constexpr float kOpposing = 1e-5F;

}  // namespace

FacetCorners PenetrationSearch::corners(const std::array<std::int32_t, 3>& node) const {
  const auto at = [&](std::size_t k) -> const Vec3& { return position_[static_cast<std::size_t>(node[k])]; };
  return {at(0), at(1), at(2)};
}

void PenetrationSearch::update(const ContactSurface& surface, FacetCandidates& candidates,
                               std::span<const Vec3> position) {
  surface_ = &surface;
  candidates_ = &candidates;
  position_ = position;
  origin_ = Vec3::Zero();
  if (!surface.points().empty()) {
    const Vec3& first = position[static_cast<std::size_t>(surface.points().front().node)];
    if (first.allFinite()) origin_ = first;
  }
  last_.resize(surface.points().size(), -1);
  bounds_.resize(surface.facets().size());
  ++num_updates_;
}

const PenetrationSearch::Bound& PenetrationSearch::bound(std::int32_t facet) {
  Bound& bound = bounds_[static_cast<std::size_t>(facet)];
  if (bound.update != num_updates_) bound = bound_of(facet);
  return bound;
}

PenetrationSearch::Bound PenetrationSearch::bound_of(std::int32_t number) const {
  Bound bound{};
  bound.update = num_updates_;
  const ContactFacet& facet = surface_->facets()[static_cast<std::size_t>(number)];
  if (facet.is_gone()) {
    bound.centre[0] = std::numeric_limits<float>::infinity();
    return bound;
  }
  const FacetCorners x = corners(facet.node);
  const Vec3 centre = (x[0] + x[1] + x[2]) / 3 - origin_, doubled_area = (x[1] - x[0]).cross(x[2] - x[0]);
  double squared = 0;
  for (const Vec3& corner : x) squared = std::max(squared, (corner - origin_ - centre).squaredNorm());
  const double size = doubled_area.norm();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    bound.centre[k] = static_cast<float>(centre[axis]);
    bound.normal[k] = size > 0 ? static_cast<float>(doubled_area[axis] / size) : 0;
  }
  bound.radius = above(std::sqrt(squared) + kPlaceRounding * centre.lpNorm<1>());
  bound.node = facet.node;
  bound.deepest_m = facet.deepest_m;
  bound.key = facet.key;
  return bound;
}

/// Starts a search with the last nearest facet, which most often still is: others are then skipped early.
PenetrationSearch::Seeker PenetrationSearch::seek(std::size_t p) {
  near_.clear();
  facet_.clear();
  const ContactPoint& point = surface_->points()[p];
  const Vec3 from_origin = position_[static_cast<std::size_t>(point.node)] - origin_;
  Seeker seeker{.point = point,
                .place = from_origin.cast<float>(),
                .rounding = above(kPlaceRounding * (from_origin.lpNorm<1>() + point.edge_m)),
                .reach = above(point.deepest_m)};
  if (last_[p] >= 0) add_if_it_opposes(seeker, last_[p]);
  return seeker;
}

void PenetrationSearch::find_opposing(std::size_t p) {
  Seeker seeker = seek(p);
  const std::int32_t last = last_[p];
  const std::span<const FacetCandidates::Candidate> candidates = candidates_->of(*surface_, p);
  const float moved = 2 * candidates_->travel_m();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i + kAhead < candidates.size()) hwy::Prefetch(&bounds_[static_cast<std::size_t>(candidates[i + kAhead].facet)]);
    if (candidates[i].apart_until_m - moved > seeker.reach * kOutward || candidates[i].facet == last) continue;
    candidates_->note_distance(p, i, add_if_it_opposes(seeker, candidates[i].facet));
  }
}

/// Returns a lower bound of the distance, infinity for a pair that never counts [m].
float PenetrationSearch::add_if_it_opposes(Seeker& seeker, std::int32_t number) {
  const Bound& bound = this->bound(number);
  const Eigen::Map<const Eigen::Vector3f> bound_centre(bound.centre.data()), bound_normal(bound.normal.data());
  const Eigen::Vector3f away = seeker.place - bound_centre;
  const float from_sphere = away.norm() / kOutward - bound.radius,
              from_plane = std::abs(away.dot(bound_normal)) / kOutward - bound.radius * kOpposing,
              least = std::max(from_sphere, from_plane) - seeker.rounding;
  const double deepest_m = std::min(seeker.point.deepest_m, bound.deepest_m);
  if (!(least <= std::min<double>(seeker.reach, deepest_m))) return least;
  if (!seeker.has_normal) take_normal(seeker);
  if (seeker.direction.dot(bound_normal) > kOpposing) return least;

  const double within = std::min(deepest_m, seeker.nearest * kFarther);
  const FacetView view =
      view_facet(corners(bound.node), position_[static_cast<std::size_t>(seeker.point.node)], within);
  const float distance = below(view.distance);
  if (view.distance > within) return distance;
  if (!(view.normal.dot(seeker.normal) < 0)) return distance;
  if (!may_touch(seeker.point, surface_->facets()[static_cast<std::size_t>(number)]))
    return std::numeric_limits<float>::infinity();  // it never counts
  seeker.nearest = std::min(seeker.nearest, view.distance);
  seeker.reach = std::min(seeker.reach, above(seeker.nearest * kFarther));
  near_.push_back({.view = view, .key = bound.key});
  facet_.push_back(number);
  return distance;
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
  if (surface_->points()[p].around.empty() || candidates_->of(*surface_, p).empty()) return std::nullopt;
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

std::size_t PenetrationSearch::memory_bytes() const { return core::bytes_of(bounds_, last_, near_, facet_, around_); }

}  // namespace brisance::contact
