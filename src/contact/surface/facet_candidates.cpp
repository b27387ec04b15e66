#include "brisance/contact/surface/facet_candidates.hpp"

#include "brisance/contact/surface/point_facet.hpp"
#include "brisance/core/memory.hpp"

#include "contact/array_vec.hpp"
#include "contact/box_list.hpp"

#include <cmath>
#include <numbers>

namespace brisance::contact {

namespace {

/// Of the edge length: a point on the plane of a facet at rest, to rounding, is not behind it.
constexpr double kOnPlane = 1e-6;

/// Of the mean uncut edge: facets with a longer edge are looked for one by one, not by their corners.
constexpr double kLongShare = 2;

/// Of the points: where so many nodes have left their references, all facets are gone through at once, which costs less
/// a node, and leaves all nodes the whole skin again.
constexpr double kMostShare = 0.03;

/// From any place of a triangle to its nearest corner, over its longest edge.
constexpr double kToCorner = std::numbers::inv_sqrt3 * 1.0001;

double longest_edge(const FacetCorners& x) {
  return std::sqrt(std::max({(x[1] - x[0]).squaredNorm(), (x[2] - x[1]).squaredNorm(), (x[0] - x[2]).squaredNorm()}));
}

FacetCorners corners_at(const ContactFacet& facet, std::span<const Vec3> position) {
  return {position[static_cast<std::size_t>(facet.node[0])], position[static_cast<std::size_t>(facet.node[1])],
          position[static_cast<std::size_t>(facet.node[2])]};
}

double mean_edge(const ContactSurface& surface) {
  double sum = 0;
  for (const ContactPoint& point : surface.points()) sum += point.edge_m;
  return surface.points().empty() ? 1 : sum / static_cast<double>(surface.points().size());
}

struct FacetBox {
  explicit FacetBox(const FacetCorners& x)
      : low(x[0].cwiseMin(x[1]).cwiseMin(x[2])), high(x[0].cwiseMax(x[1]).cwiseMax(x[2])) {}
  [[nodiscard]] bool is_within(double reach, const Vec3& p) const {
    for (int k = 0; k < 3; ++k)
      if (p[k] < low[k] - reach || p[k] > high[k] + reach) return false;
    return true;
  }
  Vec3 low, high;
};

}  // namespace

bool may_touch(const ContactPoint& point, const ContactFacet& facet) {
  if (std::ranges::find(facet.id, point.id) != facet.id.end()) return false;
  if (point.body != facet.body) return true;
  const FacetView view = view_facet({vec(facet.rest[0]), vec(facet.rest[1]), vec(facet.rest[2])}, point.rest);
  const bool is_in_wall = view.distance > kOnPlane * facet.edge_m && view.distance < kWallShare * facet.edge_m &&
                          view.behind() >= kLeastBehind;
  return !is_in_wall;
}

void FacetCandidates::detect(const ContactSurface& surface, std::span<const Vec3> position) {
  num_first_ = surface.points().size();
  frame_ = Vec3::Zero();
  first_mean_ = mean_of_first(surface, position);
  const double edge_m = mean_edge(surface);
  long_m_ = kLongShare * edge_m;
  reference_.assign(surface.num_nodes(), Vec3::Zero());
  has_reference_.assign(surface.num_nodes(), 0);
  is_renewed_.assign(surface.num_nodes(), 0);
  grid_.reset(surface.num_nodes(), edge_m);
  list_all(surface, position);
}

/// Takes references of all nodes where they are now.
void FacetCandidates::list_all(const ContactSurface& surface, std::span<const Vec3> position) {
  for (std::vector<Candidate>& list : candidates_) list.clear();
  candidates_.resize(surface.points().size());
  seen_.assign(surface.facets().size(), 0);
  search_ = 0;
  is_long_.assign(surface.facets().size(), 0);
  long_facets_.clear();
  const auto take = [&](std::size_t node) { take_reference(static_cast<std::int32_t>(node), position[node] - frame_); };
  for (const ContactPoint& point : surface.points())
    if (!point.around.empty()) take(static_cast<std::size_t>(point.node));
  for (std::size_t node = surface.first_foreign(); node < surface.num_nodes(); ++node) take(node);
  for (std::size_t f = 0; f < surface.facets().size(); ++f)
    if (const auto facet = static_cast<std::int32_t>(f); !surface.facets()[f].is_gone()) {
      note_length(surface, facet);
      list_among_points_near(surface, facet, true);
    }
  num_listed_ = surface.facets().size();
}

void FacetCandidates::renew(const ContactSurface& surface, std::span<const Vec3> position) {
  reference_.resize(surface.num_nodes(), Vec3::Zero());
  has_reference_.resize(surface.num_nodes(), 0);
  is_renewed_.resize(surface.num_nodes(), 0);
  frame_ = mean_of_first(surface, position) - first_mean_;
  const std::vector<std::int32_t> nodes = nodes_to_renew(surface, position);
  if (static_cast<double>(nodes.size()) > kMostShare * static_cast<double>(surface.points().size())) {
    list_all(surface, position);
    return;
  }
  candidates_.resize(surface.points().size());
  seen_.resize(surface.facets().size(), 0);
  is_long_.resize(surface.facets().size(), 0);
  for (const std::int32_t node : nodes) {
    is_renewed_[static_cast<std::size_t>(node)] = 1;
    take_reference(node, position[static_cast<std::size_t>(node)] - frame_);
  }
  const std::vector<std::int32_t> facets = facets_to_list(surface, nodes);
  for (const std::int32_t facet : facets) note_length(surface, facet);
  std::erase_if(long_facets_,
                [&](std::int32_t facet) { return surface.facets()[static_cast<std::size_t>(facet)].is_gone(); });
  for (const std::int32_t node : nodes)
    if (const std::int32_t point = surface.point_of(node); point >= 0) list_facets_near(surface, point);
  for (const std::int32_t facet : facets)
    list_among_points_near(surface, facet, static_cast<std::size_t>(facet) >= num_listed_);
  num_listed_ = surface.facets().size();
  for (const std::int32_t node : nodes) is_renewed_[static_cast<std::size_t>(node)] = 0;
}

/// Facets around these nodes, and those that are new.
std::vector<std::int32_t> FacetCandidates::facets_to_list(const ContactSurface& surface,
                                                          std::span<const std::int32_t> nodes) {
  std::vector<std::int32_t> facets;
  ++search_;
  const auto enter = [&](std::int32_t facet) {
    std::uint32_t& seen = seen_[static_cast<std::size_t>(facet)];
    if (seen != search_) facets.push_back(facet);
    seen = search_;
  };
  for (const std::int32_t node : nodes) std::ranges::for_each(surface.facets_of(node), enter);
  for (std::size_t facet = num_listed_; facet < surface.facets().size(); ++facet)
    if (!surface.facets()[facet].is_gone()) enter(static_cast<std::int32_t>(facet));
  return facets;
}

Vec3 FacetCandidates::mean_of_first(const ContactSurface& surface, std::span<const Vec3> position) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t p = 0; p < num_first_; ++p)
    if (const ContactPoint& point = surface.points()[p]; !point.around.empty())
      sum += position[static_cast<std::size_t>(point.node)];
  return num_first_ > 0 ? Vec3(sum / static_cast<double>(num_first_)) : sum;
}

/// Nodes that have left their reference, and those that have none: the new ones.
std::vector<std::int32_t> FacetCandidates::nodes_to_renew(const ContactSurface& surface,
                                                          std::span<const Vec3> position) {
  std::vector<std::int32_t> nodes;
  const double allowed = 0.25 * skin_m_ * skin_m_;
  const auto look_at = [&](std::size_t node) {
    const bool is_there = has_reference_[node] != 0 &&
                          (position[node] - frame_ - reference_[node]).squaredNorm() <= allowed;  // not where it is NaN
    if (!is_there) nodes.push_back(static_cast<std::int32_t>(node));
  };
  for (const ContactPoint& point : surface.points()) {
    const auto node = static_cast<std::size_t>(point.node);
    if (point.around.empty())
      has_reference_[node] = 0;
    else
      look_at(node);
  }
  for (std::size_t node = surface.first_foreign(); node < surface.num_nodes(); ++node) look_at(node);
  return nodes;
}

void FacetCandidates::take_reference(std::int32_t node, const Vec3& position) {
  reference_[static_cast<std::size_t>(node)] = position;
  has_reference_[static_cast<std::size_t>(node)] = 1;
  grid_.put(node, position);
}

void FacetCandidates::note_length(const ContactSurface& surface, std::int32_t facet) {
  const bool is_long =
      longest_edge(corners_at(surface.facets()[static_cast<std::size_t>(facet)], reference_)) > long_m_;
  std::uint8_t& was_long = is_long_[static_cast<std::size_t>(facet)];
  if (is_long && was_long == 0) long_facets_.push_back(facet);
  if (!is_long && was_long != 0) std::erase(long_facets_, facet);
  was_long = is_long ? 1 : 0;
}

/// All facets near a point, by their corners.
void FacetCandidates::list_facets_near(const ContactSurface& surface, std::int32_t number) {
  const ContactPoint& point = surface.points()[static_cast<std::size_t>(number)];
  std::vector<Candidate>& list = candidates_[static_cast<std::size_t>(number)];
  list.clear();
  if (point.around.empty()) return;
  ++search_;
  const Vec3& here = reference_[static_cast<std::size_t>(point.node)];
  const double reach_m = kDeepestShare * point.edge_m + skin_m_;
  const auto look_at = [&](std::int32_t f) {
    const ContactFacet& facet = surface.facets()[static_cast<std::size_t>(f)];
    const FacetCorners x = corners_at(facet, reference_);
    if (!FacetBox(x).is_within(reach_m, here)) return;
    const double distance = view_facet(x, here).distance;
    if (distance <= deepest(point, facet) + skin_m_ && may_touch(point, facet)) list.push_back({f, below(distance)});
  };
  const Vec3 reach = Vec3::Constant(reach_m + kToCorner * long_m_);
  grid_.for_each_near(here - reach, here + reach, [&](std::int32_t node) {
    for (const std::int32_t f : surface.facets_of(node)) {
      std::uint32_t& seen = seen_[static_cast<std::size_t>(f)];
      if (seen == search_ || is_long_[static_cast<std::size_t>(f)] != 0) continue;
      seen = search_;
      look_at(f);
    }
  });
  std::ranges::for_each(long_facets_, look_at);
}

/// Brings a facet's entries with points near it up to date that are not renewed themselves.
/// @param is_new  no point lists it yet
void FacetCandidates::list_among_points_near(const ContactSurface& surface, std::int32_t f, bool is_new) {
  const ContactFacet& facet = surface.facets()[static_cast<std::size_t>(f)];
  const FacetCorners x = corners_at(facet, reference_);
  const FacetBox box(x);
  const double reach_m = kDeepestShare * facet.edge_m + skin_m_;
  const Vec3 reach = Vec3::Constant(reach_m);
  grid_.for_each_near(box.low - reach, box.high + reach, [&](std::int32_t node) {
    if (is_renewed_[static_cast<std::size_t>(node)] != 0) return;
    const Vec3& here = reference_[static_cast<std::size_t>(node)];
    if (!box.is_within(reach_m, here)) return;
    const std::int32_t number = surface.point_of(node);
    if (number < 0) return;
    const ContactPoint& point = surface.points()[static_cast<std::size_t>(number)];
    if (point.around.empty()) return;
    const double distance = view_facet(x, here).distance;
    const bool is_near = distance <= deepest(point, facet) + skin_m_;
    std::vector<Candidate>& list = candidates_[static_cast<std::size_t>(number)];
    const auto entry = is_new ? list.end() : std::ranges::find(list, f, &Candidate::facet);
    if (entry != list.end()) {
      entry->distance_m = below(distance);
      if (is_near) return;
      *entry = list.back();
      list.pop_back();
      return;
    }
    if (!is_near || !may_touch(point, facet)) return;
    if (!is_new)
      std::erase_if(list,
                    [&](const Candidate& c) { return surface.facets()[static_cast<std::size_t>(c.facet)].is_gone(); });
    list.push_back({f, below(distance)});
  });
}

std::size_t FacetCandidates::memory_bytes() const {
  std::size_t bytes =
      core::bytes_of(candidates_, reference_, has_reference_, is_renewed_, seen_, is_long_, long_facets_) +
      grid_.memory_bytes();
  for (const auto& list : candidates_) bytes += core::bytes_of(list);
  return bytes;
}

}  // namespace brisance::contact
