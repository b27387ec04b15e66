/// How far the surface has moved since pairs of points and facets were measured.
#pragma once

#include "brisance/contact/surface/contact_surface.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// Lengths of paths, step by step, in a frame that goes along with the mean of all nodes: of each point and the nodes
/// around it together, of each facet's corners together, and of the fastest of all those that are not fast. The
/// distance of a point from a facet changes by no more than the sum of both paths grows. A few nodes that move much
/// farther than others are fast from then on, with all points around which and facets of which they are.
class Travel {
public:
  /// All paths begin, where nodes are now, and nothing is fast. `position` by node. Local.
  void begin(const ContactSurface& surface, std::span<const Vec3> position);
  /// Adds what nodes have moved since the last call; nodes, points and facets that are new begin. Local.
  void follow(const ContactSurface& surface, std::span<const Vec3> position);

  /// Where the frame is; nowhere when paths begin [m].
  [[nodiscard]] const Vec3& frame() const { return frame_; }
  /// Of a point or a facet that is not fast, at most [m].
  [[nodiscard]] double of_slow() const { return of_slow_m_; }
  [[nodiscard]] double of_point(std::size_t point) const { return of_point_[point]; }
  [[nodiscard]] double of_facet(std::size_t facet) const { return of_facet_[facet]; }
  [[nodiscard]] bool is_fast_point(std::size_t point) const { return is_fast_point_[point] != 0; }
  [[nodiscard]] bool is_fast_facet(std::size_t facet) const { return is_fast_facet_[facet] != 0; }
  /// Facets that have become fast in the last call of follow().
  [[nodiscard]] std::span<const std::int32_t> new_fast_facets() const { return new_fast_facets_; }
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  void resize(const ContactSurface& surface);
  void move_frame(const ContactSurface& surface, std::span<const Vec3> position);
  void measure_steps(const ContactSurface& surface, std::span<const Vec3> position);
  void follow_points(const ContactSurface& surface);
  void follow_facets(const ContactSurface& surface);
  [[nodiscard]] double step(std::int32_t node) const { return step_[static_cast<std::size_t>(node)]; }

  Vec3 frame_ = Vec3::Zero(), frame_step_ = Vec3::Zero();
  std::vector<Vec3> last_;                   ///< by node [m]
  std::vector<std::uint8_t> is_known_;       ///< by node: has it a last position?
  std::vector<double> step_;                 ///< by node, of this step [m]
  std::vector<double> of_point_, of_facet_;  ///< [m]
  std::vector<std::uint8_t> is_fast_point_, is_fast_facet_;
  std::vector<std::int32_t> new_fast_facets_;
  double mean_step_m_ = 0;  ///< of the nodes, in this step
  double of_slow_m_ = 0, slow_step_m_ = 0;
};

}  // namespace brisance::contact
