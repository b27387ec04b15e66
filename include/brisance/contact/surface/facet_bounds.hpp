/// Spheres around facets, and their normals, in single precision.
#pragma once

#include "brisance/contact/surface/contact_surface.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// A facet at the present positions of its nodes, in one cache line.
struct alignas(64) FacetBound {
  std::array<float, 3> centre{};  ///< relative to FacetBounds::origin() [m]; infinitely far away if the facet is gone
  float radius = 0;               ///< around the centre, rounded outward [m]
  std::array<float, 3> normal{};
  std::array<std::int32_t, 3> node{};  ///< ContactFacet::node
  std::uint32_t update = 0;            ///< number of the update() that it belongs to
  double deepest_m = 0;                ///< ContactFacet::deepest_m
  std::int64_t key = 0;                ///< ContactFacet::key

  [[nodiscard]] bool is_gone() const { return key < 0; }
};

/// Bounds of facets, each computed when it is first asked for after an update.
class FacetBounds {
public:
  /// Sets positions by node of contact, which must stay valid until the next call [m]. Local.
  void update(const ContactSurface& surface, std::span<const Vec3> position);

  [[nodiscard]] const FacetBound& of(std::size_t facet) {
    FacetBound& bound = bounds_[facet];
    if (bound.update != num_updates_) bound = compute(facet);
    return bound;
  }
  [[nodiscard]] const Vec3& origin() const { return origin_; }
  /// Fetches the bound from memory before it is needed.
  void fetch(std::size_t facet) const;
  /// Fetches what computing the bound needs, if that is still to do.
  void fetch_facet(std::size_t facet) const;
  void fetch_corners(std::size_t facet) const;
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  [[nodiscard]] FacetBound compute(std::size_t facet) const;
  [[nodiscard]] bool is_stale(std::size_t facet) const { return bounds_[facet].update != num_updates_; }

  const ContactSurface* surface_ = nullptr;
  std::span<const Vec3> position_;
  Vec3 origin_ = Vec3::Zero();
  std::uint32_t num_updates_ = 0;
  std::vector<FacetBound> bounds_;
};

}  // namespace brisance::contact
