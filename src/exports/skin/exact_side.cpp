#include "exports/skin/exact_side.hpp"

#include "brisance/core/exact_sum.hpp"

#include <cmath>

namespace brisance::exports {
namespace {

constexpr double kRounding = 1e-15;  // above (7 + 56 u) u of the rounded determinant, u = 2⁻⁵³

int sign_of(double x) { return (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0); }

/// Sums of products without rounding.
class Products {
public:
  /// Adds sign · x y.
  void add(double x, double y, double sign = 1) {
    const double high = x * y;
    sum_.add(sign * high);
    sum_.add(sign * std::fma(x, y, -high));
  }
  /// Adds sign · x y z.
  void add_triple(double x, double y, double z, double sign) {
    const double high = x * y;
    add(high, z, sign);
    add(std::fma(x, y, -high), z, sign);
  }
  /// Adds sign · x · (y × z).
  void add_box(const Vec3& x, const Vec3& y, const Vec3& z, double sign) {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      add_triple(y[j], z[k], x[i], sign);
      add_triple(y[k], z[j], x[i], -sign);
    }
  }
  [[nodiscard]] int sign() const { return sign_of(sum_.value()); }

private:
  core::ExactSum sum_;
};

/// Sign of (b − a) × (c − a) · (d − a).
int sign_of_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  const Vec3 normal = u.cross(v);
  const double volume = normal.dot(w);
  const Vec3 most{std::abs(u.y() * v.z()) + std::abs(u.z() * v.y()), std::abs(u.z() * v.x()) + std::abs(u.x() * v.z()),
                  std::abs(u.x() * v.y()) + std::abs(u.y() * v.x())};
  const double bound = kRounding * most.dot(w.cwiseAbs());
  if (std::abs(volume) > bound) return sign_of(volume);
  Products exact;
  exact.add_box(b, c, d, 1);
  exact.add_box(a, c, d, -1);
  exact.add_box(a, b, d, 1);
  exact.add_box(a, b, c, -1);
  return exact.sign();
}

/// Sign of the first component of (b − a) × (d − c) that is not 0; 0 if all are.
int first_sign_of_cross(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    Products exact;
    const auto add_difference = [&](int y, int z, double sign) {  // (b − a)_y (d − c)_z
      exact.add(b[y], d[z], sign);
      exact.add(b[y], c[z], -sign);
      exact.add(a[y], d[z], -sign);
      exact.add(a[y], c[z], sign);
    };
    add_difference(j, k, 1);
    add_difference(k, j, -1);
    if (const int sign = exact.sign(); sign != 0) return sign;
  }
  return 0;
}

}  // namespace

int side_of_moved_point(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& x) {
  const int sign = sign_of_volume(a, b, c, x);
  return sign != 0 ? sign : first_sign_of_cross(a, b, a, c);
}

int side_of_moved_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& x) {
  const int sign = sign_of_volume(a, b, c, x);
  return sign != 0 ? sign : -first_sign_of_cross(a, b, a, c);
}

int turn_of_edges(const Vec3& u, const Vec3& v, const Vec3& p, const Vec3& q) {
  const int sign = sign_of_volume(u, v, p, q);
  return sign != 0 ? sign : first_sign_of_cross(u, v, q, p);
}

}  // namespace brisance::exports
