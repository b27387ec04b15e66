// The common part of two tetrahedra. A polygon on a face is kept in the face's own barycentric coordinates, together
// with the other tet's coordinates at its corners: clipping is linear interpolation of both.
#include "brisance/contact/tet_overlap.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace brisance::contact {

namespace {

/// A corner of a polygon on a face of one tet.
struct Corner {
  double u = 0, v = 0;            ///< weights of the second and third corner of the face
  std::array<double, 4> other{};  ///< barycentric coordinates in the other tet
};

/// A triangle cut by four planes has at most seven corners.
struct Polygon {
  std::array<Corner, 8> corner;
  std::size_t size = 0;
  void add(const Corner& c) { corner[size++] = c; }
};

Corner between(const Corner& a, const Corner& b, std::size_t plane) {
  const double t = a.other[plane] / (a.other[plane] - b.other[plane]);
  Corner c;
  c.u = a.u + t * (b.u - a.u);
  c.v = a.v + t * (b.v - a.v);
  for (std::size_t k = 0; k < 4; ++k) c.other[k] = a.other[k] + t * (b.other[k] - a.other[k]);
  c.other[plane] = 0;
  return c;
}

Polygon clipped(const Polygon& polygon, std::size_t plane, bool closed) {
  const auto is_inside = [&](const Corner& c) { return closed ? c.other[plane] >= 0 : c.other[plane] > 0; };
  Polygon result;
  for (std::size_t i = 0; i < polygon.size; ++i) {
    const Corner &a = polygon.corner[i], &b = polygon.corner[i + 1 < polygon.size ? i + 1 : 0];
    const bool a_inside = is_inside(a), b_inside = is_inside(b);
    if (a_inside) result.add(a);
    if (a_inside != b_inside && result.size < result.corner.size()) result.add(between(a, b, plane));
  }
  return result;
}

/// ∫ N dA / F over a polygon, of the face's three corners: together the share of the face that it covers.
std::array<double, 3> moments(const Polygon& polygon) {
  double area = 0, u = 0, v = 0;
  const Corner& first = polygon.corner[0];
  for (std::size_t i = 1; i + 1 < polygon.size; ++i) {
    const Corner &a = polygon.corner[i], &b = polygon.corner[i + 1];
    const double doubled = (a.u - first.u) * (b.v - first.v) - (b.u - first.u) * (a.v - first.v);
    area += doubled;
    u += doubled * (first.u + a.u + b.u) / 3;
    v += doubled * (first.v + a.v + b.v) / 3;
  }
  return {area - u - v, u, v};
}

/// The faces of `tet` inside `other`: adds their moments to the gradients of its corners, and to volume and moment of
/// the common part by cones from `apex`.
void add_faces(const PlacedTet& tet, const PlacedTet& other, bool closed, const Vec3& apex, Vec3* gradient,
               double& volume, Vec3& volume_moment) {
  std::array<std::array<double, 4>, 4> coordinates;
  for (std::size_t i = 0; i < 4; ++i) coordinates[i] = other.coordinates(tet.corner[i]);
  for (std::size_t face = 0; face < 4; ++face) {
    std::array<std::size_t, 3> corner{};
    for (std::size_t i = 0, k = 0; i < 4; ++i)
      if (i != face) corner[k++] = i;
    Polygon polygon;
    polygon.add({0, 0, coordinates[corner[0]]});
    polygon.add({1, 0, coordinates[corner[1]]});
    polygon.add({0, 1, coordinates[corner[2]]});
    for (std::size_t plane = 0; plane < 4 && polygon.size > 0; ++plane) polygon = clipped(polygon, plane, closed);
    if (polygon.size < 3) continue;
    const Vec3 area = tet.face_area(face);
    const std::array<double, 3> moment = moments(polygon);
    const double share = moment[0] + moment[1] + moment[2];
    if (!(share > 0)) continue;
    Vec3 centre = Vec3::Zero();  // of the polygon, times its share
    for (std::size_t k = 0; k < 3; ++k) {
      gradient[corner[k]] += moment[k] * area;
      centre += moment[k] * (tet.corner[corner[k]] - apex);
    }
    const double cone = centre.dot(area) / 3;
    volume += cone;
    volume_moment += 0.75 * cone / share * centre;
  }
}

}  // namespace

PlacedTet placed_tet(const std::array<Vec3, 4>& corner) {
  PlacedTet tet;
  tet.corner = corner;
  const Vec3 b = corner[1] - corner[0], c = corner[2] - corner[0], d = corner[3] - corner[0];
  const double determinant = b.dot(c.cross(d));
  tet.volume = determinant / 6;
  tet.gradient[1] = c.cross(d) / determinant;
  tet.gradient[2] = d.cross(b) / determinant;
  tet.gradient[3] = b.cross(c) / determinant;
  tet.gradient[0] = -(tet.gradient[1] + tet.gradient[2] + tet.gradient[3]);
  return tet;
}

double face_gap(const PlacedTet& a, const PlacedTet& b) {
  for (const auto& [tet, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    for (std::size_t face = 0; face < 4; ++face) {
      double nearest = tet->coordinate(face, other->corner[0]);
      for (std::size_t i = 1; i < 4 && nearest <= 0; ++i)
        nearest = std::max(nearest, tet->coordinate(face, other->corner[i]));
      if (nearest <= 0) return -nearest / tet->gradient[face].norm();
    }
  return -1;
}

double edge_gap(const PlacedTet& a, const PlacedTet& b) {
  constexpr std::array<std::pair<std::size_t, std::size_t>, 6> kEdges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
  double widest = -std::numeric_limits<double>::infinity();
  for (const auto& [i, j] : kEdges)
    for (const auto& [k, l] : kEdges) {
      const Vec3 along = a.corner[j] - a.corner[i], other = b.corner[l] - b.corner[k];
      const Vec3 axis = along.cross(other);
      const double length = axis.norm();
      if (!(length > 1e-9 * along.norm() * other.norm())) continue;  // parallel: a face's plane does as well
      double low_a = axis.dot(a.corner[0]), high_a = low_a, low_b = axis.dot(b.corner[0]), high_b = low_b;
      for (std::size_t c = 1; c < 4; ++c) {
        const double at_a = axis.dot(a.corner[c]), at_b = axis.dot(b.corner[c]);
        low_a = std::min(low_a, at_a);
        high_a = std::max(high_a, at_a);
        low_b = std::min(low_b, at_b);
        high_b = std::max(high_b, at_b);
      }
      widest = std::max(widest, std::max(low_b - high_a, low_a - high_b) / length);
    }
  return widest;
}

TetOverlap tet_overlap(const PlacedTet& a, const PlacedTet& b) {
  TetOverlap overlap;
  Vec3 moment = Vec3::Zero();
  const Vec3& apex = a.corner[0];
  add_faces(a, b, true, apex, overlap.gradient.data(), overlap.volume, moment);
  add_faces(b, a, false, apex, overlap.gradient.data() + 4, overlap.volume, moment);
  overlap.centroid = overlap.volume > 0 ? Vec3(apex + moment / overlap.volume) : apex;
  return overlap;
}

}  // namespace brisance::contact
