#include "brisance/mesh/generate/reference_shape.hpp"

#include "mesh/surface/nearest_on_triangles.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace brisance::mesh {
namespace {

// All relative to the edge's length.
constexpr double kFarthest = 0.4;   // longest displacement of a middle: that of an arc that turns by 155°
constexpr double kOnCrease = 0.1;   // largest distance of an edge's ends from its crease
constexpr double kRounding = 1e-9;  // smaller displacements are zero

/// A point in the half-plane of an axis, and the radial direction there.
struct Turned {
  Vec2 at;
  Vec3 outward;

  Turned(const Vec3& x, const Vec3& origin) : outward(x.x() - origin.x(), x.y() - origin.y(), 0) {
    const double r = outward.norm();
    at = {r, x.z() - origin.z()};
    outward = r > 0 ? Vec3(outward / r) : Vec3::UnitX();
  }
  [[nodiscard]] Vec3 in_space(const Vec2& x) const { return x.x() * outward + x.y() * Vec3::UnitZ(); }
};

/// Points where two successive curves turn by more than an angle, except on the axis.
std::vector<std::pair<Vec3, Vec2>> rims_of(const Reference& reference) {
  std::vector<std::pair<Vec3, Vec2>> rims;
  const double cosine = std::cos(reference.crease_angle_deg * std::numbers::pi / 180);
  for (const TurnedSurface& surface : reference.turned)
    for (std::size_t i = 0; i < surface.profile.size(); ++i) {
      const ProfileCurve &one = surface.profile[i], &next = surface.profile[(i + 1) % surface.profile.size()];
      const Vec2 end = one.point(1), start = next.point(0);
      const bool meets_axis = end.x() <= kRounding * end.norm();
      if (meets_axis || (end - start).norm() > kRounding * end.norm()) continue;
      if (one.direction(1).dot(next.direction(0)) < cosine) rims.emplace_back(surface.origin, end);
    }
  return rims;
}

}  // namespace

struct ReferenceShape::Trees {
  std::optional<TriangleTree> triangles;
  std::optional<SegmentTree> creases;
};

ReferenceShape::ReferenceShape(Reference reference)
    : reference_(std::move(reference)), rims_(rims_of(reference_)), trees_(std::make_unique<Trees>()) {
  if (!reference_.triangles.empty()) trees_->triangles.emplace(reference_.vertices, reference_.triangles);
  if (!reference_.creases.empty()) trees_->creases.emplace(reference_.vertices, reference_.creases);
}

ReferenceShape::~ReferenceShape() = default;
ReferenceShape::ReferenceShape(ReferenceShape&&) noexcept = default;

std::optional<Vec3> ReferenceShape::on_surface(const Vec3& x, const Vec3& normal) const {
  std::optional<Vec3> found;
  double distance = std::numeric_limits<double>::infinity();
  const auto take = [&](const Vec3& point, const Vec3& faces) {
    if (!((point - x).norm() < distance) || faces.dot(normal) <= 0) return;
    distance = (point - x).norm();
    found = point;
  };
  for (const TurnedSurface& surface : reference_.turned) {
    const Turned turned(x, surface.origin);
    for (const ProfileCurve& curve : surface.profile) {
      const auto [at, along] = curve.nearest(turned.at);
      take(surface.origin + turned.in_space(at), turned.in_space({along.y(), -along.x()}));
    }
  }
  if (trees_->triangles) {
    const auto [point, triangle] = trees_->triangles->nearest(x);
    const auto& [a, b, c] = reference_.triangles[triangle];
    const Vec3 &p = reference_.vertices[a], &q = reference_.vertices[b], &r = reference_.vertices[c];
    take(point, (q - p).cross(r - p));
  }
  return found;
}

/// First intersection of the line along the normal with the triangles, either way: the nearest point would be on a
/// flank.
std::optional<Vec3> ReferenceShape::on_ridge(const Vec3& x, const Vec3& normal, double within_m) const {
  if (!trees_->triangles || !(normal.norm() > 0)) return std::nullopt;
  const Vec3 direction = normal.normalized();
  std::optional<double> nearest;
  for (const std::int32_t triangle : trees_->triangles->between(x - within_m * direction, x + within_m * direction)) {
    const auto& [a, b, c] = reference_.triangles[triangle];
    const Vec3& p = reference_.vertices[a];
    const Vec3 faces = (reference_.vertices[b] - p).cross(reference_.vertices[c] - p);
    const double distance = faces.dot(p - x) / faces.dot(direction);
    if (faces.dot(direction) > 0 && (!nearest || std::abs(distance) < std::abs(*nearest))) nearest = distance;
  }
  if (!nearest) return std::nullopt;
  return x + *nearest * direction;
}

std::optional<Vec3> ReferenceShape::on_crease(const Vec3& x) const {
  std::optional<Vec3> found;
  const auto take = [&](const Vec3& point) {
    if (!found || (point - x).norm() < (*found - x).norm()) found = point;
  };
  for (const auto& [origin, rim] : rims_) take(origin + Turned(x, origin).in_space(rim));
  if (trees_->creases) take(trees_->creases->nearest(x));
  return found;
}

bool ReferenceShape::is_on_crease(const Vec3& x, double within_m) const {
  const std::optional<Vec3> nearest = on_crease(x);
  return nearest && (*nearest - x).norm() <= within_m;
}

std::optional<Vec3> ReferenceShape::way_of_middle(const SurfaceEdge& edge) const {
  const auto own = [&](const Vec3& x) -> Vec3 { return reference_.rotation.transpose() * (x - reference_.shift); };
  const Vec3 a = own(edge.ends[0]), b = own(edge.ends[1]), middle = 0.5 * (a + b);
  const double length = (b - a).norm();
  const auto is_near = [&](const std::optional<Vec3>& x) { return x && (*x - middle).norm() <= kFarthest * length; };
  const double cosine = std::cos(reference_.crease_angle_deg * std::numbers::pi / 180);
  const Vec3 normal = reference_.rotation.transpose() * (edge.normals[0] + edge.normals[1]);
  std::optional<Vec3> place;
  if (edge.normals[0].dot(edge.normals[1]) < cosine) {
    if (is_on_crease(a, kOnCrease * length) && is_on_crease(b, kOnCrease * length)) place = on_crease(middle);
    if (!is_near(place)) place = on_ridge(middle, normal, kFarthest * length);
  }
  if (!is_near(place)) place = on_surface(middle, normal);
  if (!is_near(place) || (*place - middle).norm() <= kRounding * length) return std::nullopt;
  return reference_.rotation * (*place - middle);
}

}  // namespace brisance::mesh
