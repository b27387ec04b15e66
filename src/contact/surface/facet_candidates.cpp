#include "brisance/contact/surface/facet_candidates.hpp"

#include "brisance/contact/surface/point_facet.hpp"
#include "brisance/core/memory.hpp"

#include "contact/box_list.hpp"

#include <cmath>
#include <numbers>

namespace brisance::contact {

namespace {

/// Of the edge length: a point on the plane of a facet at rest, to rounding, is not behind it.
constexpr double kOnPlane = 1e-6;

/// From any place of a triangle to its nearest corner, over its longest edge.
constexpr double kToCorner = std::numbers::inv_sqrt3 * 1.0001;

Vec3 vec(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

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
  candidates_.assign(surface.points().size(), {});
  reference_.assign(surface.num_nodes(), Vec3::Zero());
  has_reference_.assign(surface.num_nodes(), 0);
  seen_.assign(surface.facets().size(), 0);
  search_ = 0;
  num_first_ = surface.points().size();
  frame_ = Vec3::Zero();
  first_mean_ = mean_of_first(surface, position);
  longest_edge_m_ = 0;
  grid_.reset(surface.num_nodes(), mean_edge(surface));
  std::vector<std::int32_t> nodes;
  for (const ContactPoint& point : surface.points())
    if (!point.around.empty()) nodes.push_back(point.node);
  for (std::size_t node = surface.first_foreign(); node < surface.num_nodes(); ++node)
    nodes.push_back(static_cast<std::int32_t>(node));
  for (const std::int32_t node : nodes) take_reference(node, position[static_cast<std::size_t>(node)]);
  num_renewed_ += std::ssize(nodes);
  is_renewed_.assign(surface.num_nodes(), 0);
  for (std::size_t f = 0; f < surface.facets().size(); ++f)
    if (const auto facet = static_cast<std::int32_t>(f); !surface.facets()[f].is_gone()) {
      note_longest_edge(surface, facet);
      list_among_points_near(surface, facet);
    }
}

void FacetCandidates::renew(const ContactSurface& surface, std::span<const Vec3> position,
                            std::vector<std::int32_t> changed) {
  candidates_.resize(surface.points().size());
  reference_.resize(surface.num_nodes(), Vec3::Zero());
  has_reference_.resize(surface.num_nodes(), 0);
  is_renewed_.resize(surface.num_nodes(), 0);
  seen_.resize(surface.facets().size(), 0);
  frame_ = mean_of_first(surface, position) - first_mean_;
  std::vector<std::int32_t>& nodes = changed;
  add_nodes_that_left(surface, position, nodes);
  for (const std::int32_t node : nodes) {
    is_renewed_[static_cast<std::size_t>(node)] = 1;
    take_reference(node, position[static_cast<std::size_t>(node)] - frame_);
  }
  num_renewed_ += std::ssize(nodes);
  for (const std::int32_t node : nodes)
    for (const std::int32_t facet : surface.facets_of(node)) note_longest_edge(surface, facet);
  for (const std::int32_t node : nodes)
    if (const std::int32_t point = surface.point_of(node); point >= 0) list_facets_near(surface, point);
  ++search_;
  for (const std::int32_t node : nodes)
    for (const std::int32_t facet : surface.facets_of(node))
      if (seen_[static_cast<std::size_t>(facet)] != search_) {
        seen_[static_cast<std::size_t>(facet)] = search_;
        list_among_points_near(surface, facet);
      }
  for (const std::int32_t node : nodes) is_renewed_[static_cast<std::size_t>(node)] = 0;
}

Vec3 FacetCandidates::mean_of_first(const ContactSurface& surface, std::span<const Vec3> position) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t p = 0; p < num_first_; ++p)
    if (const ContactPoint& point = surface.points()[p]; !point.around.empty())
      sum += position[static_cast<std::size_t>(point.node)];
  return num_first_ > 0 ? Vec3(sum / static_cast<double>(num_first_)) : sum;
}

void FacetCandidates::add_nodes_that_left(const ContactSurface& surface, std::span<const Vec3> position,
                                          std::vector<std::int32_t>& nodes) const {
  const std::size_t num_named = nodes.size();
  const double allowed = 0.25 * skin_m_ * skin_m_;
  const auto look_at = [&](std::int32_t node) {
    const auto i = static_cast<std::size_t>(node);
    const bool has_left = has_reference_[i] == 0 || !((position[i] - frame_ - reference_[i]).squaredNorm() <= allowed);
    if (has_left) nodes.push_back(node);
  };
  for (const ContactPoint& point : surface.points())
    if (!point.around.empty()) look_at(point.node);
  for (std::size_t node = surface.first_foreign(); node < surface.num_nodes(); ++node)
    look_at(static_cast<std::int32_t>(node));
  if (num_named == 0) return;
  std::ranges::sort(nodes);
  const auto repeated = std::ranges::unique(nodes);
  nodes.erase(repeated.begin(), repeated.end());
}

void FacetCandidates::take_reference(std::int32_t node, const Vec3& position) {
  reference_[static_cast<std::size_t>(node)] = position;
  has_reference_[static_cast<std::size_t>(node)] = 1;
  grid_.put(node, position);
}

void FacetCandidates::note_longest_edge(const ContactSurface& surface, std::int32_t facet) {
  const FacetCorners x = corners_at(surface.facets()[static_cast<std::size_t>(facet)], reference_);
  longest_edge_m_ = std::max(longest_edge_m_, longest_edge(x));
}

double FacetCandidates::distance_in_reference(const ContactSurface& surface, std::int32_t point,
                                              std::int32_t facet) const {
  const ContactFacet& f = surface.facets()[static_cast<std::size_t>(facet)];
  const Vec3& here = reference_[static_cast<std::size_t>(surface.points()[static_cast<std::size_t>(point)].node)];
  return view_facet(corners_at(f, reference_), here).distance;
}

/// All facets near a point, by their corners.
void FacetCandidates::list_facets_near(const ContactSurface& surface, std::int32_t number) {
  const ContactPoint& point = surface.points()[static_cast<std::size_t>(number)];
  std::vector<Candidate>& list = candidates_[static_cast<std::size_t>(number)];
  list.clear();
  if (point.around.empty()) return;
  ++search_;
  const Vec3& here = reference_[static_cast<std::size_t>(point.node)];
  const Vec3 reach = Vec3::Constant(kDeepestShare * point.edge_m + skin_m_ + kToCorner * longest_edge_m_);
  grid_.for_each_near(here - reach, here + reach, [&](std::int32_t node) {
    for (const std::int32_t f : surface.facets_of(node)) {
      std::uint32_t& seen = seen_[static_cast<std::size_t>(f)];
      if (seen == search_) continue;
      seen = search_;
      const ContactFacet& facet = surface.facets()[static_cast<std::size_t>(f)];
      const double distance = distance_in_reference(surface, number, f);
      if (distance <= deepest(point, facet) + skin_m_ && may_touch(point, facet)) list.push_back({f, below(distance)});
    }
  });
}

/// Brings a facet's entries with points near it up to date that are not renewed themselves.
void FacetCandidates::list_among_points_near(const ContactSurface& surface, std::int32_t f) {
  const ContactFacet& facet = surface.facets()[static_cast<std::size_t>(f)];
  const FacetCorners x = corners_at(facet, reference_);
  const Vec3 reach = Vec3::Constant(kDeepestShare * facet.edge_m + skin_m_);
  const Vec3 low = x[0].cwiseMin(x[1]).cwiseMin(x[2]) - reach, high = x[0].cwiseMax(x[1]).cwiseMax(x[2]) + reach;
  grid_.for_each_near(low, high, [&](std::int32_t node) {
    if (is_renewed_[static_cast<std::size_t>(node)] != 0) return;
    const std::int32_t number = surface.point_of(node);
    if (number < 0) return;
    const ContactPoint& point = surface.points()[static_cast<std::size_t>(number)];
    if (point.around.empty()) return;
    const Vec3& here = reference_[static_cast<std::size_t>(node)];
    if ((here.array() < low.array()).any() || (here.array() > high.array()).any()) return;
    const double distance = view_facet(x, here).distance;
    std::vector<Candidate>& list = candidates_[static_cast<std::size_t>(number)];
    const auto entry = std::ranges::find(list, f, &Candidate::facet);
    const bool is_near = distance <= deepest(point, facet) + skin_m_;
    if (entry != list.end()) {
      entry->distance_m = below(distance);
      if (!is_near) {
        *entry = list.back();
        list.pop_back();
      }
      return;
    }
    if (!is_near || !may_touch(point, facet)) return;
    std::erase_if(list,
                  [&](const Candidate& c) { return surface.facets()[static_cast<std::size_t>(c.facet)].is_gone(); });
    list.push_back({f, below(distance)});
  });
}

std::size_t FacetCandidates::size() const {
  std::size_t sum = 0;
  for (const auto& list : candidates_) sum += list.size();
  return sum;
}

std::size_t FacetCandidates::memory_bytes() const {
  std::size_t bytes =
      core::bytes_of(candidates_, reference_, has_reference_, is_renewed_, seen_) + grid_.memory_bytes();
  for (const auto& list : candidates_) bytes += core::bytes_of(list);
  return bytes;
}

}  // namespace brisance::contact
