#include "mesh/generate/make_reference.hpp"

#include "brisance/mesh/shapes/shapes.hpp"

#include "mesh/generate/inner_surface.hpp"
#include "mesh/shapes/compound_shapes.hpp"
#include "mesh/surface/sharp_edges.hpp"

#include <algorithm>

namespace brisance::mesh {
namespace {

ProfileCurve scaled(const ProfileCurve& curve, double factor) {
  return {factor * curve.from,     factor * curve.to, factor * curve.centre,
          factor * curve.radius_m, curve.first_rad,   curve.last_rad};
}

ProfileCurve reversed(const ProfileCurve& curve) {
  return {curve.to, curve.from, curve.centre, curve.radius_m, curve.last_rad, curve.first_rad};
}

/// The wall of a cavity: scaled about a point, and reversed.
TurnedSurface shrunk(const TurnedSurface& outside, const Vec3& centre, double factor) {
  TurnedSurface wall{centre + factor * (outside.origin - centre), {}};
  for (const ProfileCurve& curve : outside.profile) wall.profile.push_back(reversed(scaled(curve, factor)));
  std::ranges::reverse(wall.profile);
  return wall;
}

}  // namespace

bool is_followed(const Request& request) {
  if (request.refine == 0 || !request.follow_surface || request.cage) return false;
  if (request.shape == ShapeKind::file) return true;
  if (is_compound(request.shape)) return request.shape != ShapeKind::chair;
  return !turned_surfaces(request).empty();
}

Reference turned_reference(const Request& request, double edge_length_m) {
  Reference reference;
  reference.crease_angle_deg = request.feature_angle_deg;
  reference.turned = turned_surfaces(request);
  if (!(request.cavity_scale > 0)) return reference;
  const Vec3 centre = centroid_of(make_shape(request, edge_length_m / request.cavity_scale));
  const std::size_t num_outside = reference.turned.size();
  for (std::size_t i = 0; i < num_outside; ++i)
    reference.turned.push_back(shrunk(reference.turned[i], centre, request.cavity_scale));
  return reference;
}

Reference triangle_reference(const Surface& surface, double feature_angle_deg) {
  Reference reference;
  reference.volume_m3 = enclosed_volume_m3(surface);
  reference.crease_angle_deg = feature_angle_deg;
  reference.vertices = surface.vertices;
  reference.triangles = surface.triangles;
  reference.creases = sharp_edges(surface, feature_angle_deg, 0).edges;
  return reference;
}

}  // namespace brisance::mesh
