#include "rigid_triangle.hpp"

namespace brisance::contact {

TrianglePoint nearest_of_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& point) {
  // d: how far along ab and ac the point lies, as seen from each corner.
  const Vec3 ab = b - a, ac = c - a;
  const Vec3 from_a = point - a;
  const double ab_a = ab.dot(from_a), ac_a = ac.dot(from_a);
  if (ab_a <= 0 && ac_a <= 0) return {a, TrianglePart::corner_0};

  const Vec3 from_b = point - b;
  const double ab_b = ab.dot(from_b), ac_b = ac.dot(from_b);
  if (ab_b >= 0 && ac_b <= ab_b) return {b, TrianglePart::corner_1};

  const double of_c = ab_a * ac_b - ab_b * ac_a;  // barycentric weight of c, times four squared areas
  if (of_c <= 0 && ab_a >= 0 && ab_b <= 0) return {a + ab_a / (ab_a - ab_b) * ab, TrianglePart::edge_0};

  const Vec3 from_c = point - c;
  const double ab_c = ab.dot(from_c), ac_c = ac.dot(from_c);
  if (ac_c >= 0 && ab_c <= ac_c) return {c, TrianglePart::corner_2};

  const double of_b = ab_c * ac_a - ab_a * ac_c;
  if (of_b <= 0 && ac_a >= 0 && ac_c <= 0) return {a + ac_a / (ac_a - ac_c) * ac, TrianglePart::edge_2};

  const double of_a = ab_b * ac_c - ab_c * ac_b;
  const double along = ac_b - ab_b, back = ab_c - ac_c;
  if (of_a <= 0 && along >= 0 && back >= 0) return {b + along / (along + back) * (c - b), TrianglePart::edge_1};

  const double whole = of_a + of_b + of_c;
  return {a + of_b / whole * ab + of_c / whole * ac, TrianglePart::inside};
}

}  // namespace brisance::contact
