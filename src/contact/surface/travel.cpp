#include "brisance/contact/surface/travel.hpp"

#include "brisance/core/memory.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::contact {

namespace {

/// More than rounding makes a step shorter.
constexpr double kOutward = 1 + 1e-12;

}  // namespace

void Travel::begin(const ContactSurface& surface, std::span<const Vec3> position, const Vec3& frame) {
  std::ranges::fill(is_known_, std::uint8_t{0});
  std::ranges::fill(of_point_, 0.0);
  std::ranges::fill(of_facet_, 0.0);
  fastest_m_ = 0;
  resize(surface);
  measure_steps(surface, position, frame);
}

void Travel::follow(const ContactSurface& surface, std::span<const Vec3> position, const Vec3& frame) {
  resize(surface);
  measure_steps(surface, position, frame);
  for (std::size_t p = 0; p < of_point_.size(); ++p) {
    const ContactPoint& point = surface.points()[p];
    if (point.around.empty()) continue;
    double most = step(point.node);
    for (const FacetAround& facet : point.around)
      most = std::max({most, step(facet.corners[0]), step(facet.corners[1])});
    of_point_[p] += most;
  }
  for (std::size_t f = 0; f < of_facet_.size(); ++f) {
    const ContactFacet& facet = surface.facets()[f];
    if (!facet.is_gone()) of_facet_[f] += std::max({step(facet.node[0]), step(facet.node[1]), step(facet.node[2])});
  }
}

void Travel::resize(const ContactSurface& surface) {
  last_.resize(surface.num_nodes(), Vec3::Zero());
  is_known_.resize(surface.num_nodes(), 0);
  step_.resize(surface.num_nodes(), 0);
  of_point_.resize(surface.points().size(), 0);
  of_facet_.resize(surface.facets().size(), 0);
}

void Travel::measure_steps(const ContactSurface& surface, std::span<const Vec3> position, const Vec3& frame) {
  double longest = 0;
  const auto measure = [&](std::size_t node) {
    const Vec3 now = position[node] - frame;
    step_[node] = is_known_[node] != 0 ? kOutward * (now - last_[node]).norm() : 0;
    if (!(step_[node] <= longest)) longest = step_[node];  // NaN stays
    last_[node] = now;
    is_known_[node] = 1;
  };
  for (const ContactPoint& point : surface.points())
    if (!point.around.empty()) measure(static_cast<std::size_t>(point.node));
  for (std::size_t node = surface.first_foreign(); node < surface.num_nodes(); ++node) measure(node);
  fastest_m_ += longest;
}

std::size_t Travel::memory_bytes() const { return core::bytes_of(last_, is_known_, step_, of_point_, of_facet_); }

}  // namespace brisance::contact
