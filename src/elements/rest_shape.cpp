#include "brisance/elements/rest_shape.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::elements {

RestShape rest_shape(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  const Vec3 vw = v.cross(w), wu = w.cross(u), uv = u.cross(v);
  const double six_volumes = u.dot(vw);
  RestShape shape;
  shape.volume = six_volumes / 6;
  shape.gradient = {vw / six_volumes, wu / six_volumes, uv / six_volumes};
  const Vec3 gradient_a = -(shape.gradient[0] + shape.gradient[1] + shape.gradient[2]);
  // |∇b_i| = 1/h_i
  double largest = gradient_a.squaredNorm();
  shape.inverse_altitudes_squared = largest;
  for (const Vec3& g : shape.gradient) {
    const double squared = g.squaredNorm();
    shape.inverse_altitudes_squared += squared;
    largest = std::max(largest, squared);
  }
  shape.smallest_altitude = 1 / std::sqrt(largest);
  return shape;
}

double smallest_altitude(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  const double largest_doubled_area =
      std::max({(c - b).cross(d - b).norm(), v.cross(w).norm(), w.cross(u).norm(), u.cross(v).norm()});
  return u.dot(v.cross(w)) / largest_doubled_area;
}

}  // namespace brisance::elements
