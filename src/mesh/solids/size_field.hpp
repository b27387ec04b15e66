/// How long the edges of a surface shall be, from place to place.
#pragma once

#include "mesh/surface/point_grid.hpp"

#include <vector>

namespace brisance::mesh::solids {

/// One length, and shorter ones around some points: they grow with the distance from them until they are as long as
/// all others.
class SizeField {
public:
  /// @param edge_m  wherever nothing shorter is asked for
  explicit SizeField(double edge_m) : edge_m_(edge_m), grid_(edge_m) {}

  /// @param size_m  shorter than edge_m
  void refine(const Vec3& at, double size_m);

  [[nodiscard]] double at(const Vec3& x) const;
  [[nodiscard]] double edge_m() const { return edge_m_; }

private:
  double edge_m_;
  PointGrid grid_;
  std::vector<double> sizes_m_;
};

}  // namespace brisance::mesh::solids
