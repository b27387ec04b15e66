#include "mesh/shapes/compound_shapes.hpp"

#include "mesh/shapes/dimensions.hpp"
#include "mesh/shapes/extrude.hpp"
#include "mesh/shapes/head_shape.hpp"
#include "mesh/shapes/profiles.hpp"
#include "mesh/surface/unite.hpp"

#include <cmath>
#include <numbers>

namespace brisance::mesh {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kLobeOffset = 0.8;     // distance of a bone's lobe from the axis, over its radius
constexpr double kWidestShaft = 0.55;   // a bone's shaft over the lobes' radius: its flat ends stay inside the lobes
constexpr double kHandleRadius = 0.3;   // radius of a mug's handle over the mug's height
constexpr double kSeatHeight = 0.5;     // top of a chair's seat over the chair's height
constexpr double kLegInset = 0.3;       // distance of a chair's legs from the seat's rim, over their width
constexpr double kBackThickness = 0.6;  // thickness of a chair's back over the legs' width
constexpr double kBackStart = 0.35;     // gap between seat and back over the height of the posts above the seat

Surface moved(Surface surface, const Vec3& by) {
  for (Vec3& x : surface.vertices) x += by;
  return surface;
}

Surface ball(const Vec3& centre, double radius, double edge) {
  Surface surface;
  append_revolved(surface, {arc_piece(Vec2::Zero(), radius, -kPi / 2, kPi / 2)}, edge);
  return moved(std::move(surface), centre);
}

Surface rod(double radius, double length, double edge) {
  Surface surface;
  const double half = length / 2;
  append_revolved(surface,
                  {straight_piece({0, -half}, {radius, -half}), straight_piece({radius, -half}, {radius, half}),
                   straight_piece({radius, half}, {0, half})},
                  edge);
  return surface;
}

struct Box {
  Vec3 low, high;
};

Surface box(const Box& b, double edge) {
  const Vec3 half = (b.high - b.low) / 2;
  const double x = half.x(), y = half.y();
  return moved(extrude({{-x, -y}, {x, -y}, {x, y}, {-x, y}}, 2 * half.z(), edge), (b.low + b.high) / 2);
}

std::vector<Surface> bone_parts(const Request& request, double edge) {
  const double offset = kLobeOffset * request.radius_m, end = request.length_m / 2;
  std::vector<Surface> parts{rod(request.tube_radius_m, request.length_m, edge)};
  for (const double z : {-end, end})
    for (const double x : {-offset, offset}) parts.push_back(ball({x, 0, z}, request.radius_m, edge));
  return parts;
}

/// A cup, and half a ring whose ends lie in the middle of the wall.
std::vector<Surface> mug_parts(const Request& request, double edge) {
  Surface cup;
  append_revolved(cup, cup_profile(request), edge);
  const double bend = kHandleRadius * request.length_m, start = request.radius_m - request.thickness_m / 2;
  Surface handle = rod(request.tube_radius_m, kPi * bend, edge);
  for (Vec3& x : handle.vertices) {
    const double angle = x.z() / bend, from_centre = bend + x.x();
    x = {start + from_centre * std::cos(angle), x.y(), from_centre * std::sin(angle)};
  }
  return {cup, handle};
}

/// Seat, two legs, two posts that continue above the seat, and the back between them. No two faces are coplanar.
struct ChairBoxes {
  Box seat, leg, post, back;
};

ChairBoxes chair_boxes(const Request& request) {
  const double leg = request.thickness_m, inset = kLegInset * leg, half_height = request.size.z() / 2;
  const double x = request.size.x() / 2, y = request.size.y() / 2;
  const double seat_top = -half_height + kSeatHeight * request.size.z(), in_seat = seat_top - leg / 2;
  const double post_middle = y - inset - leg / 2, half_back = kBackThickness * leg / 2;
  return {.seat = {{-x, -y, seat_top - leg}, {x, y, seat_top}},
          .leg = {{x - inset - leg, -y + inset, -half_height}, {x - inset, -y + inset + leg, in_seat}},
          .post = {{x - inset - leg, y - inset - leg, -half_height}, {x - inset, y - inset, half_height}},
          .back = {{-x + inset + leg / 2, post_middle - half_back, seat_top + kBackStart * (half_height - seat_top)},
                   {x - inset - leg / 2, post_middle + half_back, half_height - leg / 2}}};
}

Box mirrored(const Box& b) { return {{-b.high.x(), b.low.y(), b.low.z()}, {-b.low.x(), b.high.y(), b.high.z()}}; }

std::vector<Surface> chair_parts(const Request& request, double edge) {
  const auto [seat, leg, post, back] = chair_boxes(request);
  std::vector<Surface> parts;
  for (const Box& b : {seat, leg, mirrored(leg), post, mirrored(post), back}) parts.push_back(box(b, edge));
  return parts;
}

/// Sum of the boxes' volumes less their overlaps.
double chair_volume(const Request& request) {
  const auto [seat, leg, post, back] = chair_boxes(request);
  const auto volume = [](const Box& b) { return (b.high - b.low).prod(); };
  const double width = request.thickness_m, back_section = volume(back) / (back.high.x() - back.low.x());
  const double in_seat = width * width * (width / 2 + width);  // volume of leg and post in the seat
  return volume(seat) + 2 * (volume(leg) + volume(post) - in_seat) + volume(back) - width * back_section;
}

}  // namespace

bool is_compound(ShapeKind kind) {
  return kind == ShapeKind::bone || kind == ShapeKind::mug || kind == ShapeKind::chair || kind == ShapeKind::head;
}

Surface compound_surface(const Request& request, double edge_length_m) {
  if (request.shape == ShapeKind::head) return head_surface(request, edge_length_m);
  if (request.shape == ShapeKind::bone) return unite(bone_parts(request, edge_length_m));
  if (request.shape == ShapeKind::mug) return unite(mug_parts(request, edge_length_m));
  return unite(chair_parts(request, edge_length_m));
}

double compound_volume_m3(const Request& request) {
  if (request.shape == ShapeKind::chair) return chair_volume(request);
  if (request.shape == ShapeKind::head) return enclosed_volume_m3(head_surface(request, request.length_m / 25));
  return enclosed_volume_m3(compound_surface(request, request.tube_radius_m / 8));
}

void require_valid_compound(const Request& request) {
  if (request.shape == ShapeKind::head) return;
  if (request.shape == ShapeKind::chair) {
    require_below("thickness_m", request.thickness_m, "a fifth of size_m", request.size.minCoeff() / 5);
  } else if (request.shape == ShapeKind::bone) {
    require_below("tube_radius_m", request.tube_radius_m, "0.55 radius_m", kWidestShaft * request.radius_m);
    require_below("radius_m", request.radius_m, "half of length_m", request.length_m / 2);
  } else {
    require_below("thickness_m", request.thickness_m, "0.1 length_m", 0.1 * request.length_m);
    require_below("thickness_m", request.thickness_m, "radius_m", request.radius_m);
    require_below("tube_radius_m", request.tube_radius_m, "0.1 length_m", 0.1 * request.length_m);
    // Otherwise the ends of the handle would stick out of the wall.
    require_below("tube_radius_m", request.tube_radius_m, "the root of radius_m thickness_m / 2",
                  std::sqrt(request.radius_m * request.thickness_m / 2));
  }
}

}  // namespace brisance::mesh
