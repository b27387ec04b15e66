#include "brisance/contact/surface/penetration_search.hpp"

#include "brisance/core/memory.hpp"

#include "contact/box_list.hpp"

#include <cmath>
#include <limits>

namespace brisance::contact {

namespace {

/// Of the distance from the origin: more than rounding to single precision moves a point by.
constexpr double kPlaceRounding = 2e-7;

/// More than the relative error of a comparison of distances in single precision.
constexpr float kOutward = 1 + 2e-6F;

/// Cosine in single precision beyond which two normals do not oppose.
constexpr float kOpposing = 1e-5F;

/// Of a facet's least height: its corners move by less while its tilt is bounded, by kTilt over that height.
constexpr float kMostMove = 0.1F;
constexpr float kTilt = 2.5F;

/// Of an edge: facets that are farther than that from counting are not looked at in every step.
constexpr double kMarginShare = 0.05;

/// Less than one by more than rounding.
constexpr float kInward = 0.999F;

/// A distance that is larger by this share than another has another foot.
constexpr double kFarther = 1 + 1e-6;

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
  ++update_;
}

const PenetrationSearch::Bound& PenetrationSearch::bound(std::int32_t facet) {
  Bound& bound = bounds_[static_cast<std::size_t>(facet)];
  if (bound.update != update_) bound = bound_of(facet);
  return bound;
}

PenetrationSearch::Bound PenetrationSearch::bound_of(std::int32_t number) const {
  Bound bound{};
  bound.update = update_;
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
  const double longest =
      std::max({(x[1] - x[0]).squaredNorm(), (x[2] - x[1]).squaredNorm(), (x[0] - x[2]).squaredNorm()});
  bound.least_height = size > 0 ? below(size / std::sqrt(longest)) : 0;
  return bound;
}

PenetrationSearch::Seeker PenetrationSearch::seeker_of(std::size_t p) const {
  const ContactPoint& point = surface_->points()[p];
  const Vec3 from_origin = position_[static_cast<std::size_t>(point.node)] - origin_;
  return {.point = point,
          .place = from_origin.cast<float>(),
          .rounding = above(kPlaceRounding * (from_origin.lpNorm<1>() + point.edge_m)),
          .reach = above(point.deepest_m)};
}

// The facet that was nearest most often still is: others are then out of reach.
void PenetrationSearch::find_opposing(Seeker& seeker, std::size_t p) {
  near_.clear();
  facet_.clear();
  const std::int32_t last = last_[p];
  if (last >= 0 && candidates_->is_listed(static_cast<std::size_t>(last)))
    static_cast<void>(add_if_it_opposes(seeker, last));
  look_at(seeker, p, candidates_->close_to(p));
  if (candidates_->others_apart_m(p) > seeker.reach * kOutward) return;
  look_at(seeker, p, candidates_->others_of(p));
  candidates_->sort(p, seeker.reach * kOutward, kMarginShare * seeker.point.edge_m);
}

void PenetrationSearch::look_at(Seeker& seeker, std::size_t p, std::span<FacetCandidates::Candidate> facets) {
  for (FacetCandidates::Candidate& candidate : facets) {
    if (candidate.facet == last_[p]) continue;
    const double travel = candidates_->travel_of(p, candidate);
    if (candidate.counts_from_m > travel || candidate.near_from_m - travel > seeker.reach * kOutward) continue;
    const Apart apart = add_if_it_opposes(seeker, candidate.facet);
    candidate.near_from_m = below(travel + apart.distance_m);
    if (apart.idle_m > 0) candidate.counts_from_m = below(travel + apart.idle_m);
  }
}

/// A lower bound of the distance; infinity where the facet is gone [m].
float PenetrationSearch::least_distance(const Seeker& seeker, const Bound& facet) {
  const Eigen::Map<const Eigen::Vector3f> centre(facet.centre.data()), normal(facet.normal.data());
  const Eigen::Vector3f away = seeker.place - centre;
  const float from_sphere = away.norm() / kOutward - facet.radius,
              from_plane = std::abs(away.dot(normal)) / kOutward - facet.radius * kOpposing;
  return std::max(from_sphere, from_plane) - seeker.rounding;
}

/// What a distance is more than the facet's own depth [m].
float PenetrationSearch::beyond(float distance_m, const Bound& facet) {
  return kInward * (distance_m - kOutward * above(facet.deepest_m));
}

PenetrationSearch::Apart PenetrationSearch::add_if_it_opposes(Seeker& seeker, std::int32_t number) {
  const Bound& bound = this->bound(number);
  const float least = least_distance(seeker, bound);
  const double deepest_m = std::min(seeker.point.deepest_m, bound.deepest_m);
  if (!(least <= std::min<double>(seeker.reach, deepest_m))) return {least, beyond(least, bound)};
  if (!seeker.has_normal) take_normal(seeker);
  if (const float turn = until_normals_oppose(seeker, bound); turn > 0) return {least, turn};

  const FacetView view = view_facet(corners(bound.node), position_[static_cast<std::size_t>(seeker.point.node)]);
  const float distance = below(view.distance);
  if (view.distance > deepest_m) return {distance, beyond(distance, bound)};
  if (view.distance > seeker.nearest * kFarther) return {distance};
  if (!(view.normal.dot(seeker.normal) < 0)) return {distance};
  if (!may_touch(seeker.point, surface_->facets()[static_cast<std::size_t>(number)]))
    return {std::numeric_limits<float>::infinity()};  // they never do
  seeker.nearest = std::min(seeker.nearest, view.distance);
  seeker.reach = std::min(seeker.reach, above(seeker.nearest * kFarther));
  near_.push_back({.view = view, .key = bound.key});
  facet_.push_back(number);
  return {distance};
}

void PenetrationSearch::take_normal(Seeker& seeker) const {
  seeker.has_normal = true;
  seeker.normal = normal_at(seeker.point, position_);
  const double size = seeker.normal.norm();
  if (!(size > 0)) return;
  const Vec3& here = position_[static_cast<std::size_t>(seeker.point.node)];
  double lengths = 0;
  for (const FacetAround& facet : seeker.point.around)
    for (const std::int32_t corner : facet.corners)
      lengths += (position_[static_cast<std::size_t>(corner)] - here).norm();
  seeker.direction = (seeker.normal / size).cast<float>();
  seeker.lengths_per_area = above(2 * lengths / size);
  seeker.facets_per_area = above(4 * static_cast<double>(seeker.point.around.size()) / size);
}

/// Facets at the foot.
void PenetrationSearch::find_around(const ContactPoint& point, std::int32_t number, const FacetView& view) {
  around_.clear();
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

std::optional<Penetration> PenetrationSearch::of(std::size_t p) {
  const ContactPoint& point = surface_->points()[p];
  if (candidates_->of(p).empty() || point.around.empty()) return std::nullopt;
  if (candidates_->is_alone(p, above(point.deepest_m) * kOutward)) return std::nullopt;
  Seeker seeker = seeker_of(p);
  find_opposing(seeker, p);
  const std::optional<std::size_t> nearest = nearest_facet(near_);
  last_[p] = nearest ? facet_[*nearest] : -1;
  if (!nearest || !may_be_behind(near_[*nearest])) return std::nullopt;
  const NearFacet& facet = near_[*nearest];
  find_around(point, facet_[*nearest], facet.view);
  if (!has_come_through(facet, around_)) return std::nullopt;
  return Penetration{facet_[*nearest], facet.view};
}

// Where both travel by m the facet tilts by less than tan θ = 2 m/(h − 2 m), and the sum of area vectors of k facets
// around the point changes, twice over, by no more than 2 m L + 4 k m², where L are
// all lengths of edges at the point.
float PenetrationSearch::until_normals_oppose(const Seeker& seeker, const Bound& facet) {
  const Eigen::Map<const Eigen::Vector3f> normal(facet.normal.data());
  const float cosine = seeker.direction.dot(normal) - kOpposing;
  if (!(cosine > 0 && facet.least_height > 0)) return 0;
  const float most = kMostMove * facet.least_height;
  const float turn = seeker.lengths_per_area + seeker.facets_per_area * most + kTilt / facet.least_height;
  return kInward * std::min(most, cosine / turn);
}

std::size_t PenetrationSearch::memory_bytes() const { return core::bytes_of(bounds_, last_, near_, facet_, around_); }

}  // namespace brisance::contact
