// Intersection of two tetrahedra: the one as a polyhedron, cut by the planes of the other's faces one after the other.
// Whether a corner is on the near side of a plane is decided once for all faces that have it, so the polyhedron stays
// closed in spite of rounding. Otherwise the forces on the two tets would not add up to zero where faces of both lie in
// one plane, as along every crack.
#include "brisance/contact/overlap/tet_overlap.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace brisance::contact {

namespace {

/// A corner of the polyhedron, by its barycentric coordinates in both tets: cutting is linear interpolation of both.
struct Corner {
  std::array<double, 4> in_a, in_b;
};

/// Corners of a tet's faces, counter-clockwise seen from outside.
constexpr std::array<std::array<std::uint8_t, 3>, 4> kFaceCorners{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

/// A polygon on a face: of A, opposite corner `face`, or of B, opposite corner `face − 4`.
struct Polygon {
  std::uint8_t face, size;
  std::array<std::uint8_t, 22> corner;
  void begin(std::size_t of_face) {
    face = static_cast<std::uint8_t>(of_face);
    size = 0;
  }
  void add(std::uint8_t c) {
    if (size < corner.size()) corner[size++] = c;
  }
};

/// An overlap that is a smaller share of either tet may be rounding, and counts as none.
constexpr double kLeastShare = 1e-14;

/// Capacities: rounding may bend polygons a little, and exact arithmetic needs far less than these bounds.
constexpr std::size_t kMostCorners = 64, kMostPolygons = 24;

/// Entries that are not filled are never read, so nothing here is set to zero first: that would cost as much as a cut.
// NOLINTBEGIN(cppcoreguidelines-pro-type-member-init)
class Polyhedron {
public:
  Polyhedron(const PlacedTet& a, const PlacedTet& b) {
    for (std::size_t k = 0; k < 4; ++k) {
      Corner& corner = corners_[num_corners_++];
      corner.in_a = {};
      corner.in_a[k] = 1;
      corner.in_b = b.coordinates(a.corner[k]);
    }
    for (std::size_t f = 0; f < 4; ++f) {
      polygons_[f].begin(f);
      for (const std::uint8_t c : kFaceCorners[f]) polygons_[f].add(c);
    }
    num_polygons_ = 4;
  }

  /// Keeps the part on the near side of B's face opposite corner `plane`, and closes it with a polygon on that face.
  void cut(std::size_t plane);

  [[nodiscard]] std::span<const Polygon> polygons() const { return {polygons_.data(), num_polygons_}; }
  [[nodiscard]] const Corner& corner(std::uint8_t c) const { return corners_[c]; }

private:
  /// The corner where the plane cuts an edge, shared by both polygons that have the edge.
  [[nodiscard]] std::uint8_t crossing(std::uint8_t c, std::uint8_t d, std::size_t plane);
  /// Corners of polygons as bit masks, and those of them on the near side of B's face opposite corner `plane`.
  [[nodiscard]] std::uint64_t used() const;
  [[nodiscard]] std::uint64_t inside(std::size_t plane) const;

  std::array<Corner, kMostCorners> corners_;
  std::size_t num_corners_ = 0;
  std::array<Polygon, kMostPolygons> polygons_;
  std::size_t num_polygons_ = 0;
  struct Crossing {
    std::uint8_t low, high, corner;
  };
  std::array<Crossing, kMostCorners> crossings_;
  std::size_t num_crossings_ = 0;
};
// NOLINTEND(cppcoreguidelines-pro-type-member-init)

std::uint64_t Polyhedron::used() const {
  std::uint64_t bits = 0;
  for (const Polygon& polygon : polygons())
    for (std::size_t i = 0; i < polygon.size; ++i) bits |= std::uint64_t{1} << polygon.corner[i];
  return bits;
}

std::uint64_t Polyhedron::inside(std::size_t plane) const {
  std::uint64_t bits = 0;
  for (std::size_t c = 0; c < num_corners_; ++c) bits |= std::uint64_t{corners_[c].in_b[plane] >= 0} << c;
  return bits;
}

std::uint8_t Polyhedron::crossing(std::uint8_t c, std::uint8_t d, std::size_t plane) {
  const std::uint8_t low = std::min(c, d), high = std::max(c, d);
  for (std::size_t i = 0; i < num_crossings_; ++i)
    if (crossings_[i].low == low && crossings_[i].high == high) return crossings_[i].corner;
  if (num_corners_ == kMostCorners) return low;
  const Corner &from = corners_[low], &to = corners_[high];
  const double t = from.in_b[plane] / (from.in_b[plane] - to.in_b[plane]);
  Corner& made = corners_[num_corners_];
  for (std::size_t k = 0; k < 4; ++k) {
    made.in_a[k] = from.in_a[k] + t * (to.in_a[k] - from.in_a[k]);
    made.in_b[k] = from.in_b[k] + t * (to.in_b[k] - from.in_b[k]);
  }
  made.in_b[plane] = 0;
  crossings_[num_crossings_++] = {low, high, static_cast<std::uint8_t>(num_corners_)};
  return static_cast<std::uint8_t>(num_corners_++);
}

void Polyhedron::cut(std::size_t plane) {
  const std::uint64_t all = used(), near = inside(plane);
  const auto is_inside = [&](std::uint8_t c) { return (near >> c & 1) != 0; };
  if ((all & ~near) == 0) return;
  if ((all & near) == 0) {
    num_polygons_ = 0;
    return;
  }
  num_crossings_ = 0;
  constexpr std::uint8_t kNone = 255;
  std::array<std::uint8_t, kMostCorners> next{};  // around the cut, from a corner where an edge enters
  next.fill(kNone);
  std::size_t kept = 0;
  for (std::size_t p = 0; p < num_polygons_; ++p) {
    const Polygon before = polygons_[p];
    Polygon after;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    after.begin(before.face);
    // Each exit leads to the next entry; the first entry belongs to the last exit.
    std::uint8_t out = kNone, first_in = kNone;
    for (std::size_t i = 0; i < before.size; ++i) {
      const std::uint8_t c = before.corner[i], d = before.corner[i + 1 < before.size ? i + 1 : 0];
      const bool c_inside = is_inside(c);
      if (c_inside) after.add(c);
      if (c_inside == is_inside(d)) continue;
      const std::uint8_t made = crossing(c, d, plane);
      after.add(made);
      if (c_inside) {
        out = made;
      } else if (out == kNone) {
        first_in = made;
      } else {
        next[made] = out;
        out = kNone;
      }
    }
    if (first_in != kNone && out != kNone) next[first_in] = out;
    if (after.size >= 3) polygons_[kept++] = after;
  }
  num_polygons_ = kept;
  for (std::size_t i = 0; i < num_crossings_; ++i) {
    Polygon lid;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    lid.begin(4 + plane);
    for (std::uint8_t c = crossings_[i].corner; next[c] != kNone; c = std::exchange(next[c], kNone)) lid.add(c);
    if (lid.size >= 3 && num_polygons_ < kMostPolygons) polygons_[num_polygons_++] = lid;
  }
}

/// ∫ N dA / F over a polygon, of the face's three corners: together the share of the face that it covers.
std::array<double, 3> moments(const Polyhedron& body, const Polygon& polygon) {
  const bool of_a = polygon.face < 4;
  const auto& face = kFaceCorners[polygon.face & 3];
  const auto at = [&](std::size_t i) {
    const Corner& c = body.corner(polygon.corner[i]);
    return of_a ? std::pair(c.in_a[face[1]], c.in_a[face[2]]) : std::pair(c.in_b[face[1]], c.in_b[face[2]]);
  };
  double area = 0, u = 0, v = 0;
  const auto [u0, v0] = at(0);
  for (std::size_t i = 1; i + 1 < polygon.size; ++i) {
    const auto [u1, v1] = at(i);
    const auto [u2, v2] = at(i + 1);
    const double doubled = (u1 - u0) * (v2 - v0) - (u2 - u0) * (v1 - v0);
    area += doubled;
    u += doubled * (u0 + u1 + u2) / 3;
    v += doubled * (v0 + v1 + v2) / 3;
  }
  return {area - u - v, u, v};
}

/// Does a face of the first have all of the second on its far side? Most pairs whose boxes meet are told apart by this.
bool is_beyond_a_face(const PlacedTet& tet, const PlacedTet& other) {
  for (std::size_t face = 0; face < 4; ++face)
    if (std::ranges::all_of(other.corner, [&](const Vec3& x) { return tet.coordinate(face, x) <= 0; })) return true;
  return false;
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

bool are_parted(const PlacedTet& a, const PlacedTet& b) { return is_beyond_a_face(a, b) || is_beyond_a_face(b, a); }

double TetOverlap::depth() const {
  const double common = area().norm(), whole = regular_edge(volume);
  return volume < whole * common ? volume / common : whole;
}

TetOverlap tet_overlap(const PlacedTet& a, const PlacedTet& b) {
  if (are_parted(a, b)) return {};
  Polyhedron body(a, b);
  for (std::size_t plane = 0; plane < 4; ++plane) body.cut(plane);
  TetOverlap overlap;
  Vec3 volume_moment = Vec3::Zero();
  const Vec3& apex = a.corner[0];
  for (const Polygon& polygon : body.polygons()) {
    const PlacedTet& tet = polygon.face < 4 ? a : b;
    const std::size_t face = polygon.face & 3, first = polygon.face & 4;
    const Vec3 area = tet.face_area(face);
    const std::array<double, 3> moment = moments(body, polygon);
    const double share = moment[0] + moment[1] + moment[2];
    Vec3 centre = Vec3::Zero();  // of the polygon, times its share
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t corner = kFaceCorners[face][k];
      overlap.gradient[first + corner] += moment[k] * area;
      centre += moment[k] * (tet.corner[corner] - apex);
    }
    const double cone = centre.dot(area) / 3;
    overlap.volume += cone;
    if (share > 0) volume_moment += 0.75 * cone / share * centre;
  }
  if (!(overlap.volume > kLeastShare * std::min(a.volume, b.volume))) return {};
  overlap.centroid = apex + volume_moment / overlap.volume;
  return overlap;
}

bool take_sliver_off(TetOverlap& overlap, double sliver) {
  const double over = overlap.volume - sliver;
  if (!(over > 0)) return false;
  if (over >= 2 * sliver) {
    overlap.volume = over - sliver;
    return true;
  }
  overlap.volume = over * over / (4 * sliver);
  for (Vec3& gradient : overlap.gradient) gradient *= over / (2 * sliver);
  return true;
}

}  // namespace brisance::contact
