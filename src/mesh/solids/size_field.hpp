/// Wanted edge lengths of a surface as a function of position.
#pragma once

#include "mesh/surface/point_grid.hpp"

#include <vector>

namespace brisance::mesh::solids {

/// One length, and shorter ones around some points, which grow with the distance from them up to the common length.
class SizeField {
public:
  /// @param edge_m  the common length
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
