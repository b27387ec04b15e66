/// How fast anything near a place moves, for the time until a point must search again.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/dist/mesh.hpp"

#include <array>
#include <cstddef>

namespace brisance::contact {

/// Bounds of the velocities of all nodes in the cells of a lattice that repeats itself, so that its size is fixed:
/// large objects and what flies far away share cells, which only widens the bounds. The same on any number of ranks.
class VelocityRegions {
public:
  /// Collective.
  /// @param cell_m  edge length of a cell, larger than 0 [m]
  void update(const dist::Mesh& mesh, double cell_m);

  /// Upper bound of the velocity relative to `velocity` of all nodes within cell_m() of `position` [m/s]. Local.
  [[nodiscard]] double most_near(const Vec3& position, const Vec3& velocity) const;
  /// The same of all nodes [m/s].
  [[nodiscard]] double most(const Vec3& velocity) const;
  [[nodiscard]] double cell_m() const { return cell_m_; }

private:
  static constexpr int kCells = 10;  ///< along each axis before the lattice repeats itself
  static constexpr std::size_t kSize = 6 * kCells * kCells * kCells;
  /// Largest velocities along and against each axis; −∞ without nodes [m/s].
  using Bounds = std::array<double, 6>;
  [[nodiscard]] std::array<int, 3> cell_of(const Vec3& position) const;
  [[nodiscard]] static std::size_t index(const std::array<int, 3>& cell);

  double cell_m_ = 1;
  std::array<double, kSize> bounds_{};  ///< [cell], as Bounds
  Bounds of_all_{};
};

}  // namespace brisance::contact
