#include "brisance/mesh/shapes/shapes.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/surface/remesh.hpp"

#include "mesh/shapes/compound_shapes.hpp"
#include "mesh/shapes/dimensions.hpp"
#include "mesh/shapes/extrude.hpp"
#include "mesh/shapes/head_shape.hpp"
#include "mesh/shapes/profiles.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace brisance::mesh {
namespace {

constexpr double kPi = std::numbers::pi;

bool is_box(ShapeKind kind) {
  return kind == ShapeKind::box || kind == ShapeKind::slab || kind == ShapeKind::wall || kind == ShapeKind::sheet;
}

bool is_curved_shell(ShapeKind kind) {
  return kind == ShapeKind::bowl || kind == ShapeKind::hollow_ball || kind == ShapeKind::hollow_cylinder ||
         kind == ShapeKind::goblet || kind == ShapeKind::mug || kind == ShapeKind::amphora;
}

bool has_tube(ShapeKind kind) {
  return kind == ShapeKind::torus || kind == ShapeKind::dumbbell || kind == ShapeKind::goblet ||
         kind == ShapeKind::bone || kind == ShapeKind::mug || kind == ShapeKind::amphora;
}

bool has_length(ShapeKind kind) {
  return kind == ShapeKind::solid_cylinder || kind == ShapeKind::hollow_cylinder || kind == ShapeKind::head ||
         (has_tube(kind) && kind != ShapeKind::torus);
}

/// A box is extruded along its shortest side, so that the caps of a plate are its large faces.
Surface box_surface(const Vec3& size, double edge) {
  Eigen::Index thin = 2;
  for (const Eigen::Index axis : {1, 0})
    if (size[axis] < size[thin]) thin = axis;
  const Eigen::Index u = (thin + 1) % 3, v = (thin + 2) % 3;
  const double a = size[u] / 2, b = size[v] / 2;
  Surface surface = extrude({{-a, -b}, {a, -b}, {a, b}, {-a, b}}, size[thin], edge);
  for (Vec3& x : surface.vertices) {
    const Vec3 local = x;
    x[u] = local.x(), x[v] = local.y(), x[thin] = local.z();
  }
  return surface;
}

Surface notched_surface(const Request& request, double edge) {
  const double a = request.size.x() / 2, b = request.size.y() / 2, half_mouth = request.notch_width_m / 2;
  const std::vector<Vec2> outline{{-a, -b},         {a, -b}, {a, b}, {half_mouth, b}, {0, b - request.notch_depth_m},
                                  {-half_mouth, b}, {-a, b}};
  return extrude(outline, request.size.z(), edge);
}

/// Outer sphere up to the rim, half a turn around the rim, inner sphere back to the axis.
std::vector<ProfilePiece> bowl_profile(const Request& request) {
  const double outer = request.radius_m, half = request.thickness_m / 2, inner = outer - request.thickness_m;
  const double rim = request.opening_angle_rad - kPi / 2;  // angle from the r axis
  const Vec2 rim_centre = (outer - half) * Vec2(std::cos(rim), std::sin(rim));
  std::vector<ProfilePiece> profile{arc_piece(Vec2::Zero(), outer, -kPi / 2, rim),
                                    arc_piece(rim_centre, half, rim, rim + kPi),
                                    arc_piece(Vec2::Zero(), inner, rim, -kPi / 2)};
  profile[1].least_cuts = 2;
  return profile;
}

std::vector<ProfilePiece> rectangle_profile(double inner, double outer, double length) {
  const Vec2 a(inner, -length / 2), b(outer, -length / 2), c(outer, length / 2), d(inner, length / 2);
  std::vector<ProfilePiece> profile{straight_piece(a, b), straight_piece(b, c), straight_piece(c, d)};
  if (inner > 0) profile.push_back(straight_piece(d, a));
  return profile;
}

/// Empty for other shapes.
std::vector<Profile> profiles_of(const Request& request) {
  const double outer = request.radius_m, inner = outer - request.thickness_m;
  switch (request.shape) {
    case ShapeKind::bowl:
      return {bowl_profile(request)};
    case ShapeKind::hollow_ball:
      return {{arc_piece(Vec2::Zero(), outer, -kPi / 2, kPi / 2)}, {arc_piece(Vec2::Zero(), inner, kPi / 2, -kPi / 2)}};
    case ShapeKind::solid_cylinder:
      return {rectangle_profile(0, outer, request.length_m)};
    case ShapeKind::hollow_cylinder:
      return {rectangle_profile(inner, outer, request.length_m)};
    case ShapeKind::dumbbell:
      return {dumbbell_profile(request)};
    case ShapeKind::goblet:
      return {goblet_profile(request)};
    case ShapeKind::amphora:
      return {amphora_profile(request)};
    case ShapeKind::torus:
      return {{arc_piece(Vec2(outer, 0), request.tube_radius_m, 0, 2 * kPi)}};
    default:
      return {};
  }
}

Surface round_surface(const Request& request, double edge) {
  Surface surface;
  for (const Profile& profile : profiles_of(request)) append_revolved(surface, profile, edge);
  return surface;
}

void require_valid_bowl(const Request& request) {
  require_below("opening_angle_rad", request.opening_angle_rad, "pi", kPi);
  const double half = request.thickness_m / 2;
  if ((request.radius_m - half) * std::sin(request.opening_angle_rad) <= half)
    throw core::Error(
        fmt::format("opening_angle_rad = {:g} lets the rounded rim of the bowl touch its axis. Choose a "
                    "value nearer to 1.5, or a smaller thickness_m.",
                    request.opening_angle_rad));
}

double shell_volume(double outer, double inner, double polar_angle) {
  return 2 * kPi / 3 * (outer * outer * outer - inner * inner * inner) * (1 - std::cos(polar_angle));
}

/// Pappus's theorem: half a disc of the rim's radius, its centroid 4a/(3π) beyond the edge of the shell.
double bowl_volume(const Request& request) {
  const double outer = request.radius_m, a = request.thickness_m / 2, angle = request.opening_angle_rad;
  const double centroid = (outer - a) * std::sin(angle) + 4 * a / (3 * kPi) * std::cos(angle);
  return shell_volume(outer, outer - 2 * a, angle) + 2 * kPi * centroid * kPi * a * a / 2;
}

}  // namespace

void require_valid_shape(const Request& request) {
  assert(request.shape != ShapeKind::file);
  const ShapeKind kind = request.shape;
  if (is_box(kind) || kind == ShapeKind::notched_block || kind == ShapeKind::chair) {
    for (int axis = 0; axis < 3; ++axis) require_positive("size_m", request.size[axis]);
  } else if (kind != ShapeKind::head) {
    require_positive("radius_m", request.radius_m);
  }
  if (has_length(kind)) require_positive("length_m", request.length_m);
  if (is_curved_shell(kind)) require_below("thickness_m", request.thickness_m, "radius_m", request.radius_m);
  if (kind == ShapeKind::bowl) require_valid_bowl(request);
  if (kind == ShapeKind::torus) require_below("tube_radius_m", request.tube_radius_m, "radius_m", request.radius_m);
  if (kind == ShapeKind::notched_block) {
    require_below("notch_depth_m", request.notch_depth_m, "size_m y", request.size.y());
    require_below("notch_width_m", request.notch_width_m, "size_m x", request.size.x());
  }
  if (kind == ShapeKind::dumbbell) require_valid_dumbbell(request);
  if (kind == ShapeKind::goblet) require_valid_goblet(request);
  if (kind == ShapeKind::amphora) require_valid_amphora(request);
  if (is_compound(kind)) require_valid_compound(request);
}

std::vector<TurnedSurface> turned_surfaces(const Request& request) {
  std::vector<TurnedSurface> turned;
  for (const Profile& profile : profiles_of(request)) {
    turned.emplace_back();
    for (const ProfilePiece& piece : profile) turned.back().profile.push_back(piece.curve);
  }
  return turned;
}

Surface make_shape(const Request& request, double edge_length_m) {
  require_valid_shape(request);
  if (is_box(request.shape)) return box_surface(request.size, edge_length_m);
  if (request.shape == ShapeKind::notched_block) return notched_surface(request, edge_length_m);
  if (request.shape == ShapeKind::head) return remesh(head_surface(request, edge_length_m), {edge_length_m});
  if (is_compound(request.shape))
    return remesh(compound_surface(request, edge_length_m), {edge_length_m, request.feature_angle_deg});
  return round_surface(request, edge_length_m);
}

double largest_edge_m(const Request& request) {
  const bool plate = is_box(request.shape) && request.shape != ShapeKind::box;
  const double thickness = is_curved_shell(request.shape) ? request.thickness_m : request.size.minCoeff();
  double edge = std::numeric_limits<double>::infinity();
  if (request.layers > 1 && (plate || is_curved_shell(request.shape))) edge = thickness / request.layers;
  // A chord of length h is h²/(8R) away from its circle: a quarter of the thickness is allowed.
  if (is_curved_shell(request.shape)) edge = std::min(edge, std::sqrt(2 * request.radius_m * thickness));
  if (has_tube(request.shape)) edge = std::min(edge, 1.5 * request.tube_radius_m);
  if (request.shape == ShapeKind::chair) edge = std::min(edge, request.thickness_m);
  if (request.shape == ShapeKind::head) edge = std::min(edge, kLargestHeadEdge * request.length_m);
  return edge;
}

double shape_volume_m3(const Request& request) {
  const double outer = request.radius_m, inner = outer - request.thickness_m;
  switch (request.shape) {
    case ShapeKind::bowl:
      return bowl_volume(request);
    case ShapeKind::hollow_ball:
      return shell_volume(outer, inner, kPi);
    case ShapeKind::solid_cylinder:
      return kPi * outer * outer * request.length_m;
    case ShapeKind::hollow_cylinder:
      return kPi * (outer * outer - inner * inner) * request.length_m;
    case ShapeKind::torus:
      return 2 * kPi * kPi * outer * request.tube_radius_m * request.tube_radius_m;
    case ShapeKind::notched_block:
      return request.size.prod() - request.notch_width_m * request.notch_depth_m / 2 * request.size.z();
    case ShapeKind::dumbbell:
      return swept_volume_m3(dumbbell_profile(request));
    case ShapeKind::goblet:
      return swept_volume_m3(goblet_profile(request));
    case ShapeKind::amphora:
      return swept_volume_m3(amphora_profile(request));
    case ShapeKind::bone:
    case ShapeKind::mug:
    case ShapeKind::chair:
    case ShapeKind::head:
      return compound_volume_m3(request);
    default:
      return request.size.prod();
  }
}

double shape_area_m2(const Request& request) {
  const double outer = request.radius_m;
  constexpr double both = 2;  // sides of a shell
  switch (request.shape) {
    case ShapeKind::bowl:
      return both * 2 * kPi * outer * outer * (1 - std::cos(request.opening_angle_rad));
    case ShapeKind::hollow_ball:
      return both * 4 * kPi * outer * outer;
    case ShapeKind::solid_cylinder:
      return 2 * kPi * outer * (outer + request.length_m);
    case ShapeKind::hollow_cylinder:
      return both * 2 * kPi * outer * request.length_m;
    case ShapeKind::torus:
      return 4 * kPi * kPi * outer * request.tube_radius_m;
    case ShapeKind::dumbbell:
    case ShapeKind::goblet:
    case ShapeKind::bone:
    case ShapeKind::mug:
    case ShapeKind::chair:
    case ShapeKind::amphora:
    case ShapeKind::head:
      return 0;
    default:
      return 2 * (request.size.x() * request.size.y() + request.size.y() * request.size.z() +
                  request.size.z() * request.size.x());
  }
}

double shape_length_m(const Request& request) {
  const ShapeKind kind = request.shape;
  if (is_box(kind) || kind == ShapeKind::notched_block || kind == ShapeKind::chair) return request.size.maxCoeff();
  if (kind == ShapeKind::head) return request.length_m;
  return std::max(2 * request.radius_m, has_length(kind) ? request.length_m : 0);
}

const char* shape_name(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::file:
      return "file";
    case ShapeKind::box:
      return "box";
    case ShapeKind::slab:
      return "slab";
    case ShapeKind::wall:
      return "wall";
    case ShapeKind::sheet:
      return "sheet";
    case ShapeKind::bowl:
      return "bowl";
    case ShapeKind::hollow_ball:
      return "hollow_ball";
    case ShapeKind::solid_cylinder:
      return "solid_cylinder";
    case ShapeKind::hollow_cylinder:
      return "hollow_cylinder";
    case ShapeKind::torus:
      return "torus";
    case ShapeKind::notched_block:
      return "notched_block";
    case ShapeKind::dumbbell:
      return "dumbbell";
    case ShapeKind::goblet:
      return "goblet";
    case ShapeKind::bone:
      return "bone";
    case ShapeKind::mug:
      return "mug";
    case ShapeKind::chair:
      return "chair";
    case ShapeKind::amphora:
      return "amphora";
    case ShapeKind::head:
      return "head";
  }
  return "unknown";
}

}  // namespace brisance::mesh
