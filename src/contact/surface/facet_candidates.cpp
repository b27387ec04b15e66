#include "brisance/contact/surface/facet_candidates.hpp"

#include "brisance/contact/surface/point_facet.hpp"
#include "brisance/core/memory.hpp"

#include "contact/array_vec.hpp"
#include "contact/box_list.hpp"

#include <cmath>

#include <hwy/cache_control.h>

namespace brisance::contact {

namespace {

/// Tolerance over the edge length: a point on the plane of a facet at rest, to rounding, is not behind it.
constexpr double kOnPlane = 1e-6;

/// Shares of the points: if so many have left their references all lists are invalidated, in the next step or at once.
/// That costs less per node and gives all nodes the whole skin again.
constexpr double kManyShare = 0.03, kMostShare = 0.15;

/// Shares of the facets and of the points: up to so many are searched one by one, more are sorted into the grids.
constexpr double kMostPut = 0.002;

/// Travelled distance in skins after which all lists are invalidated, so that sums in single precision stay accurate.
constexpr float kMostTravel = 100;

/// Rounding error of cosines in single precision.
constexpr float kCosineRounding = 1e-5F;

std::size_t slot(std::int32_t number) { return static_cast<std::size_t>(number); }

const ContactPoint& point_at(const ContactSurface& surface, std::int32_t number) {
  return surface.points()[slot(number)];
}
const ContactFacet& facet_at(const ContactSurface& surface, std::int32_t number) {
  return surface.facets()[slot(number)];
}

double mean_edge(const ContactSurface& surface) {
  double sum = 0;
  for (const ContactPoint& point : surface.points()) sum += point.edge_m;
  return surface.points().empty() ? 1 : sum / static_cast<double>(surface.points().size());
}

/// Calls act(node) for all surface nodes that this rank knows: those of its points, then others'.
template <class Do>
void for_each_node(const ContactSurface& surface, const Do& act) {
  for (const ContactSurface::BoundaryNode& here : surface.boundary_nodes()) act(slot(here.node));
  for (std::size_t node = surface.numbering().first_foreign(); node < surface.numbering().size(); ++node) {
    const auto number = static_cast<std::int32_t>(node);
    const bool is_gone = surface.numbering().embedded(number) != nullptr && surface.facets_of(number).empty();
    if (!is_gone) act(node);
  }
}

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

// Normals a + b apart at most from the axes oppose only where these are at least 90° − a − b apart.
bool may_oppose(const NormalCone& a, const NormalCone& b) {
  const float cosine_of_sum = a.cosine * b.cosine - a.sine * b.sine;
  if (!(cosine_of_sum > kCosineRounding)) return true;
  const float sine_of_sum = a.sine * b.cosine + a.cosine * b.sine;
  return !(a.axis.dot(b.axis) > sine_of_sum + kCosineRounding);
}

void FacetCandidates::detect(const ContactSurface& surface, std::span<const Vec3> position) {
  size_m_ = mean_edge(surface);
  reference_.clear();
  has_reference_.clear();
  last_.clear();
  resize(surface);
  renew_all(surface, position);
}

void FacetCandidates::resize(const ContactSurface& surface) {
  reference_.resize(surface.numbering().size(), Vec3::Zero());
  last_.resize(surface.numbering().size(), Vec3::Zero());
  has_reference_.resize(surface.numbering().size(), 0);
  facets_of_.resize(surface.points().size());
  point_cone_.resize(surface.points().size());
  is_renewed_point_.resize(surface.points().size(), 0);
  is_outdated_.resize(surface.points().size(), 1);
  entries_.resize(surface.facets().size());
  is_entered_.resize(surface.facets().size(), 0);
}

/// Sets the references of all nodes to their present positions.
void FacetCandidates::take_references(const ContactSurface& surface, std::span<const Vec3> position) {
  frame_ = origin_ = Vec3::Zero();
  std::size_t count = 0;
  for_each_node(surface, [&](std::size_t node) {
    reference_[node] = last_[node] = position[node];
    has_reference_[node] = 1;
    if (!position[node].allFinite()) return;
    origin_ += position[node];
    ++count;
  });
  origin_ /= static_cast<double>(std::max<std::size_t>(count, 1));
}

void FacetCandidates::renew_all(const ContactSurface& surface, std::span<const Vec3> position) {
  take_references(surface, position);
  for (std::size_t f = 0; f < surface.facets().size(); ++f)
    if (const ContactFacet& facet = surface.facets()[f]; !facet.is_gone()) enter(facet, entries_[f]);
  sort_facets(surface);
  sort_points(surface);
  travel_m_ = 0;
  std::ranges::fill(is_outdated_, std::uint8_t{1});
  num_known_points_ = surface.points().size();
  wants_all_ = false;
  num_entered_ = surface.facets().size();
}

void FacetCandidates::sort_facets(const ContactSurface& surface) {
  std::vector<Sphere> spheres(surface.facets().size());
  for (std::size_t f = 0; f < spheres.size(); ++f)
    if (const ContactFacet& facet = surface.facets()[f]; !facet.is_gone()) spheres[f] = reach_of(facet);
  facets_.build(spheres, size_m_);
}

void FacetCandidates::sort_points(const ContactSurface& surface) {
  std::vector<Sphere> spheres(surface.points().size());
  for (std::size_t p = 0; p < spheres.size(); ++p)
    if (const ContactPoint& point = surface.points()[p]; !point.around.empty())
      spheres[p] = {reference(point.node), skin_m_};
  points_.build(spheres, size_m_);
}

void FacetCandidates::renew(const ContactSurface& surface, std::span<const Vec3> position, bool all_pairs) {
  resize(surface);
  for (; num_known_points_ < surface.points().size(); ++num_known_points_)
    has_reference_[slot(surface.points()[num_known_points_].node)] = 0;  // the slot may have been another node's
  move_frame(surface, position);
  follow(surface, position);
  const std::vector<std::int32_t> nodes = nodes_to_renew(surface, position);
  const auto share = [](std::size_t count, std::size_t all) {
    return static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(all, 1));
  };
  const auto num_moved =
      std::ranges::count_if(nodes, [&](std::int32_t node) { return has_reference_[slot(node)] != 0; });
  const double away = share(static_cast<std::size_t>(num_moved), num_nodes_);
  wants_all_ = away > kManyShare || !(travel_m_ < kMostTravel * static_cast<float>(skin_m_));
  if (all_pairs || away > kMostShare) {
    renew_all(surface, position);
    return;
  }
  for (const std::int32_t node : nodes) {
    reference_[slot(node)] = position[slot(node)] - frame_;
    has_reference_[slot(node)] = 1;
  }
  const std::vector<std::int32_t> facets = facets_to_list(surface, nodes);
  for (const std::int32_t facet : facets) {
    facets_.put(facet, reach_of(facet_at(surface, facet)));
    enter(facet_at(surface, facet), entries_[slot(facet)]);
  }
  const std::vector<std::int32_t> points = points_to_list(surface, nodes, facets);
  for (const std::int32_t node : nodes)
    if (const std::int32_t point = surface.point_of(node); point >= 0) points_.put(point, {reference(node), skin_m_});
  if (share(facets_.num_put(), surface.facets().size()) > kMostPut) sort_facets(surface);
  if (share(points_.num_put(), surface.points().size()) > kMostPut) sort_points(surface);
  for (const std::int32_t point : points) is_outdated_[slot(point)] = 1;
  for (const std::int32_t facet : facets) list_for_points_near(surface, facet);
  num_entered_ = surface.facets().size();
  for (const std::int32_t point : points) is_renewed_point_[slot(point)] = 0;
}

/// Moves the frame by the mean step of known nodes.
void FacetCandidates::move_frame(const ContactSurface& surface, std::span<const Vec3> position) {
  Vec3 sum = Vec3::Zero();
  std::size_t count = 0;
  num_nodes_ = 0;
  for_each_node(surface, [&](std::size_t node) {
    ++num_nodes_;
    const Vec3 way = position[node] - last_[node];
    if (has_reference_[node] == 0 || !way.allFinite()) return;
    sum += way;
    ++count;
  });
  frame_step_ = sum / static_cast<double>(std::max<std::size_t>(count, 1));
  frame_ += frame_step_;
}

/// Adds the motion of nodes since the last step to the travelled distance.
void FacetCandidates::follow(const ContactSurface& surface, std::span<const Vec3> position) {
  double squared = 0;
  for_each_node(surface, [&](std::size_t node) {
    const Vec3 way = position[node] - last_[node] - frame_step_;
    if (has_reference_[node] != 0) squared = std::max(squared, way.squaredNorm());
    last_[node] = position[node];
  });
  travel_m_ += above(std::sqrt(squared) * (1 + 1e-6));
}

/// Nodes that have left their reference, and new nodes, which have none.
std::vector<std::int32_t> FacetCandidates::nodes_to_renew(const ContactSurface& surface,
                                                          std::span<const Vec3> position) {
  std::vector<std::int32_t> nodes;
  const double allowed = 0.25 * skin_m_ * skin_m_;
  const auto add_if_away = [&](std::size_t node) {
    const bool is_there = has_reference_[node] != 0 &&
                          (position[node] - frame_ - reference_[node]).squaredNorm() <= allowed;  // false for NaN
    if (!is_there) nodes.push_back(static_cast<std::int32_t>(node));
  };
  for_each_node(surface, add_if_away);
  return nodes;
}

/// Facets around these nodes, and new facets.
std::vector<std::int32_t> FacetCandidates::facets_to_list(const ContactSurface& surface,
                                                          std::span<const std::int32_t> nodes) {
  std::vector<std::int32_t> facets;
  const auto enter = [&](std::int32_t facet) {
    if (is_entered_[slot(facet)] != 0) return;
    is_entered_[slot(facet)] = 1;
    facets.push_back(facet);
  };
  for (const std::int32_t node : nodes) std::ranges::for_each(surface.facets_of(node), enter);
  for (std::size_t facet = num_entered_; facet < surface.facets().size(); ++facet)
    if (!surface.facets()[facet].is_gone()) enter(static_cast<std::int32_t>(facet));
  for (const std::int32_t facet : facets) is_entered_[slot(facet)] = 0;
  return facets;
}

/// The points of these nodes, and those at a corner of one of these facets: their normals may turn farther.
std::vector<std::int32_t> FacetCandidates::points_to_list(const ContactSurface& surface,
                                                          std::span<const std::int32_t> nodes,
                                                          std::span<const std::int32_t> facets) {
  std::vector<std::int32_t> points;
  const auto enter = [&](std::int32_t node) {
    const std::int32_t point = surface.point_of(node);
    if (point < 0 || is_renewed_point_[slot(point)] != 0) return;
    is_renewed_point_[slot(point)] = 1;
    points.push_back(point);
  };
  std::ranges::for_each(nodes, enter);
  for (const std::int32_t facet : facets) std::ranges::for_each(facet_at(surface, facet).node, enter);
  return points;
}

/// A sphere around all places that the facet may reach.
Sphere FacetCandidates::reach_of(const ContactFacet& facet) const {
  const Vec3 &a = reference_[slot(facet.node[0])], &b = reference_[slot(facet.node[1])],
             &c = reference_[slot(facet.node[2])];
  const Vec3 centre = (a + b + c) / 3;
  return {centre,
          std::sqrt(std::max({(a - centre).squaredNorm(), (b - centre).squaredNorm(), (c - centre).squaredNorm()})) +
              facet.deepest_m};
}

// Corners move by half the skin, so that the plane tilts by at most tan θ = skin/(height − skin).
NormalCone FacetCandidates::cone_of(const Vec3& doubled_area, double longest_m) const {
  const double size = doubled_area.norm(), height = size / longest_m;
  if (!(height > skin_m_)) return {};
  const double tangent = skin_m_ / (height - skin_m_), cosine = 1 / std::sqrt(1 + tangent * tangent);
  return {(doubled_area / size).cast<float>(), static_cast<float>(tangent * cosine), static_cast<float>(cosine)};
}

void FacetCandidates::enter(const ContactFacet& facet, Entry& entry) const {
  const Vec3 &a = reference_[slot(facet.node[0])], &b = reference_[slot(facet.node[1])],
             &c = reference_[slot(facet.node[2])];
  const double longest = std::sqrt(std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()}));
  entry.cone = cone_of((b - a).cross(c - a), longest);
  entry.height = entry.cone.axis.dot((a - origin_).cast<float>());
  entry.deepest = static_cast<float>(facet.deepest_m);
  entry.node = facet.node;
}

/// Cone of the normals of all facets around a point, and so of their sum.
NormalCone FacetCandidates::cone_of(const ContactPoint& point) const {
  const Vec3& here = reference_[slot(point.node)];
  const Vec3 axis = normal_at(point, reference_).normalized();
  NormalCone cone{axis.cast<float>(), 0, 1};
  for (const FacetAround& facet : point.around) {
    const Vec3 b = reference_[slot(facet.corners[0])] - here, c = reference_[slot(facet.corners[1])] - here;
    const double longest = std::sqrt(std::max({b.squaredNorm(), c.squaredNorm(), (c - b).squaredNorm()}));
    const NormalCone one = cone_of(b.cross(c), longest);
    const float cosine = one.axis.dot(cone.axis), sine = std::sqrt(std::max(0.0F, 1 - cosine * cosine));
    const float cosine_of_sum = cosine * one.cosine - sine * one.sine;
    if (!(one.cosine > 0 && cosine > 0 && cosine_of_sum > kCosineRounding)) return {};
    if (cosine_of_sum < cone.cosine) {
      cone.cosine = cosine_of_sum;
      cone.sine = sine * one.cosine + cosine * one.sine;
    }
  }
  return cone;
}

FacetCandidates::Seeker FacetCandidates::seeker_of(const ContactPoint& point, std::size_t number) const {
  const Vec3 place = reference(point.node) - origin_;
  return {.node = point.node,
          .place = place.cast<float>(),
          .deepest = static_cast<float>(point.deepest_m),
          .rounding = kCosineRounding * static_cast<float>(place.lpNorm<1>() + size_m_),
          .cone = point_cone_[number]};
}

// A facet whose plane is too far away is too far away itself.
bool FacetCandidates::is_near(const Seeker& point, const Entry& facet) const {
  const float height = facet.cone.axis.dot(point.place) - facet.height;
  return std::abs(height) <= std::min(point.deepest, facet.deepest) + static_cast<float>(skin_m_) + point.rounding &&
         may_oppose(point.cone, facet.cone) && !facet.has(point.node);
}

void FacetCandidates::list_facets_near(const ContactSurface& surface, std::int32_t number) {
  const ContactPoint& point = point_at(surface, number);
  std::vector<Candidate>& list = facets_of_[slot(number)];
  near_.clear();
  list.clear();
  if (point.around.empty()) return;
  point_cone_[slot(number)] = cone_of(point);
  const Seeker seeker = seeker_of(point, slot(number));
  facets_.find_meeting({reference(point.node), skin_m_}, met_);
  for (const std::int32_t facet : met_) hwy::Prefetch(&entries_[slot(facet)]);
  for (const std::int32_t facet : met_)
    if (is_near(seeker, entries_[slot(facet)])) near_.push_back({facet, 0});
  std::erase_if(near_, [&](const Candidate& c) { return facet_at(surface, c.facet).is_gone(); });
  if (list.capacity() > 2 * near_.size()) list = {};
  list.assign(near_.begin(), near_.end());  // no longer than needed: all lists together are long
}

/// Adds a facet to the lists, still valid, of points near it.
void FacetCandidates::list_for_points_near(const ContactSurface& surface, std::int32_t number) {
  const ContactFacet& facet = facet_at(surface, number);
  points_.find_meeting(reach_of(facet), met_);
  for (const std::int32_t p : met_) {
    if (is_outdated_[slot(p)] != 0) continue;
    const ContactPoint& point = point_at(surface, p);
    if (point.around.empty() || !is_near(seeker_of(point, slot(p)), entries_[slot(number)])) continue;
    std::vector<Candidate>& list = facets_of_[slot(p)];
    if (std::ranges::find(list, number, &Candidate::facet) != list.end()) continue;
    std::erase_if(list, [&](const Candidate& c) { return facet_at(surface, c.facet).is_gone(); });
    list.push_back({number, 0});
  }
}

std::span<const FacetCandidates::Candidate> FacetCandidates::of(const ContactSurface& surface, std::size_t point) {
  if (is_outdated_[point] != 0) {
    list_facets_near(surface, static_cast<std::int32_t>(point));
    is_outdated_[point] = 0;
  }
  return facets_of_[point];
}

std::size_t FacetCandidates::memory_bytes() const {
  std::size_t bytes = core::bytes_of(facets_of_, is_outdated_, reference_, has_reference_, last_, entries_, point_cone_,
                                     is_renewed_point_, is_entered_) +
                      facets_.memory_bytes() + points_.memory_bytes();
  for (const auto& list : facets_of_) bytes += core::bytes_of(list);
  return bytes;
}

}  // namespace brisance::contact
