/// How far the surface has moved since pairs of points and facets were measured.
#pragma once

#include "brisance/contact/surface/contact_surface.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// Lengths of paths, step by step, in a frame that the caller gives: of the fastest node, of each point and the nodes
/// around it together, and of each facet's corners together. A distance of a point from a facet changes by no more than
/// the sum of both grows.
class Travel {
public:
  /// All paths begin, where nodes are now. `position` by node. Local.
  void begin(const ContactSurface& surface, std::span<const Vec3> position, const Vec3& frame);
  /// Adds what nodes have moved since the last call; nodes, points and facets that are new begin. Local.
  void follow(const ContactSurface& surface, std::span<const Vec3> position, const Vec3& frame);

  /// [m]
  [[nodiscard]] double of_fastest() const { return fastest_m_; }
  [[nodiscard]] double of_point(std::size_t point) const { return of_point_[point]; }
  [[nodiscard]] double of_facet(std::size_t facet) const { return of_facet_[facet]; }
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  void resize(const ContactSurface& surface);
  void measure_steps(const ContactSurface& surface, std::span<const Vec3> position, const Vec3& frame);
  [[nodiscard]] double step(std::int32_t node) const { return step_[static_cast<std::size_t>(node)]; }

  std::vector<Vec3> last_;                   ///< by node, in the frame [m]
  std::vector<std::uint8_t> is_known_;       ///< by node: has it a last position?
  std::vector<double> step_;                 ///< by node, of this step [m]
  std::vector<double> of_point_, of_facet_;  ///< [m]
  double fastest_m_ = 0;
};

}  // namespace brisance::contact
