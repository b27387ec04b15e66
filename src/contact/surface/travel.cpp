#include "brisance/contact/surface/travel.hpp"

#include "brisance/core/memory.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::contact {

namespace {

/// More than rounding makes a step shorter.
constexpr double kOutward = 1 + 1e-12;

/// Of the mean step: a node that moves farther is fast.
constexpr double kFast = 4;

template <class Do>
void for_each_node(const ContactSurface& surface, const Do& act) {
  for (const ContactPoint& point : surface.points())
    if (!point.around.empty()) act(static_cast<std::size_t>(point.node));
  for (std::size_t node = surface.first_foreign(); node < surface.num_nodes(); ++node) act(node);
}

}  // namespace

void Travel::begin(const ContactSurface& surface, std::span<const Vec3> position) {
  std::ranges::fill(is_known_, std::uint8_t{0});
  std::ranges::fill(of_point_, 0.0);
  std::ranges::fill(of_facet_, 0.0);
  std::ranges::fill(is_fast_point_, std::uint8_t{0});
  std::ranges::fill(is_fast_facet_, std::uint8_t{0});
  new_fast_facets_.clear();
  of_slow_m_ = 0;
  frame_ = frame_step_ = Vec3::Zero();
  resize(surface);
  measure_steps(surface, position);
}

void Travel::follow(const ContactSurface& surface, std::span<const Vec3> position) {
  resize(surface);
  move_frame(surface, position);
  measure_steps(surface, position);
  slow_step_m_ = 0;
  follow_points(surface);
  follow_facets(surface);
  of_slow_m_ += slow_step_m_;
}

void Travel::resize(const ContactSurface& surface) {
  last_.resize(surface.num_nodes(), Vec3::Zero());
  is_known_.resize(surface.num_nodes(), 0);
  step_.resize(surface.num_nodes(), 0);
  of_point_.resize(surface.points().size(), 0);
  of_facet_.resize(surface.facets().size(), 0);
  is_fast_point_.resize(surface.points().size(), 0);
  is_fast_facet_.resize(surface.facets().size(), 0);
}

void Travel::move_frame(const ContactSurface& surface, std::span<const Vec3> position) {
  Vec3 sum = Vec3::Zero();
  std::size_t count = 0;
  for_each_node(surface, [&](std::size_t node) {
    const Vec3 way = position[node] - last_[node];
    if (is_known_[node] == 0 || !way.allFinite()) return;
    sum += way;
    ++count;
  });
  frame_step_ = count > 0 ? Vec3(sum / static_cast<double>(count)) : sum;
  frame_ += frame_step_;
}

void Travel::measure_steps(const ContactSurface& surface, std::span<const Vec3> position) {
  double sum = 0;
  std::size_t count = 0;
  for_each_node(surface, [&](std::size_t node) {
    step_[node] = is_known_[node] != 0 ? kOutward * (position[node] - last_[node] - frame_step_).norm() : 0;
    if (std::isfinite(step_[node])) sum += step_[node];
    ++count;
    last_[node] = position[node];
    is_known_[node] = 1;
  });
  mean_step_m_ = count > 0 ? sum / static_cast<double>(count) : 0;
}

void Travel::follow_points(const ContactSurface& surface) {
  for (std::size_t p = 0; p < of_point_.size(); ++p) {
    const ContactPoint& point = surface.points()[p];
    if (point.around.empty()) continue;
    double most = step(point.node);
    for (const FacetAround& facet : point.around)
      most = std::max({most, step(facet.corners[0]), step(facet.corners[1])});
    of_point_[p] += most;
    if (!(most <= kFast * mean_step_m_)) is_fast_point_[p] = 1;  // also where it is NaN
    if (is_fast_point_[p] == 0) slow_step_m_ = std::max(slow_step_m_, most);
  }
}

void Travel::follow_facets(const ContactSurface& surface) {
  new_fast_facets_.clear();
  for (std::size_t f = 0; f < of_facet_.size(); ++f) {
    const ContactFacet& facet = surface.facets()[f];
    if (facet.is_gone()) continue;
    const double most = std::max({step(facet.node[0]), step(facet.node[1]), step(facet.node[2])});
    of_facet_[f] += most;
    if (!(most <= kFast * mean_step_m_) && is_fast_facet_[f] == 0) {
      is_fast_facet_[f] = 1;
      new_fast_facets_.push_back(static_cast<std::int32_t>(f));
    }
    if (is_fast_facet_[f] == 0) slow_step_m_ = std::max(slow_step_m_, most);
  }
}

std::size_t Travel::memory_bytes() const {
  return core::bytes_of(last_, is_known_, step_, of_point_, of_facet_, is_fast_point_, is_fast_facet_,
                        new_fast_facets_);
}

}  // namespace brisance::contact
