#include "mesh/shapes/profiles.hpp"

#include "brisance/core/error.hpp"

#include "mesh/shapes/dimensions.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

namespace brisance::mesh {
namespace {

constexpr double kPi = std::numbers::pi;
// A goblet over its radius: the foot, and the straight part above the half sphere.
constexpr double kFoot = 0.8, kStraightPart = 0.5;
// An amphora over its radius: the narrowest place above the foot, the widest neck and the thickest wall.
constexpr double kWaist = 0.34, kWidestNeck = 0.6, kThickestWall = 0.2;
// Radii of its arcs: shoulder and the hollow above it over its radius, flared rim over the neck's.
constexpr double kShoulder = 0.6, kHollow = 0.3, kLip = 0.6;
// Angle by which its rim flares outward [rad], and the neck's share of the height that the arcs above the body leave.
constexpr double kLipTurn = 65 * kPi / 180, kNeckShare = 0.2;
// Least ratio of its body's height to the decrease in radius from the widest place to the waist.
constexpr double kLeastSlope = 1.5;

/// Appends the half turn from the outer wall to the inner one, and the inner wall down to the given height.
void append_rim(Profile& profile, double outer, double thickness, double top, double end) {
  const double half = thickness / 2;
  profile.push_back(arc_piece({outer - half, top - half}, half, 0, kPi));
  profile.back().least_cuts = 2;
  profile.push_back(straight_piece({outer - thickness, top - half}, {outer - thickness, end}));
}

/// Radii [m], angles [rad] and heights [m] of an amphora's outer wall, from the ground up; heights from its middle.
struct Amphora {
  double wall, waist, neck;         ///< thickness of the wall, outer radii above the foot and of the neck
  double body, body_angle;          ///< arc from the foot to the widest place: its radius and angle
  double shoulder, hollow, bend;    ///< arcs from there to the neck: their radii, and the angle of each
  double lip;                       ///< radius of the arc from the neck to the rim
  double bottom, widest, lip_base;  ///< heights of the ground, of the widest place and of the neck's upper end
  Vec2 body_centre, shoulder_centre, hollow_centre, lip_centre;
};

/// Total height of an amphora's parts other than the body above the foot and the neck [m].
double height_of_ends_m(const Amphora& a) {
  return a.wall + (a.shoulder + a.hollow) * std::sin(a.bend) + (a.lip + a.wall / 2) * std::sin(kLipTurn) + a.wall / 2;
}

/// Radii of the arcs above the widest place, which do not depend on the height.
Amphora amphora_radii(const Request& request) {
  const double outer = request.radius_m;
  Amphora a{};
  a.wall = request.thickness_m, a.neck = request.tube_radius_m, a.waist = kWaist * outer;
  a.shoulder = kShoulder * outer, a.hollow = kHollow * outer, a.lip = kLip * a.neck;
  a.bend = std::acos(1 - (outer - a.neck) / (a.shoulder + a.hollow));
  return a;
}

Amphora amphora(const Request& request) {
  Amphora a = amphora_radii(request);
  const double outer = request.radius_m, left = request.length_m - height_of_ends_m(a);
  const double rise = (1 - kNeckShare) * left, narrowing = outer - a.waist;
  a.body = (rise * rise + narrowing * narrowing) / (2 * narrowing);
  a.body_angle = std::asin(rise / a.body);
  a.bottom = -request.length_m / 2, a.widest = a.bottom + a.wall + rise;
  a.body_centre = {outer - a.body, a.widest};
  a.shoulder_centre = {outer - a.shoulder, a.widest};
  a.hollow_centre = a.shoulder_centre + (a.shoulder + a.hollow) * Vec2(std::cos(a.bend), std::sin(a.bend));
  a.lip_base = a.hollow_centre.y() + kNeckShare * left;
  a.lip_centre = {a.neck + a.lip, a.lip_base};
  return a;
}

/// Appends the profile from the axis along the ground, around the edge of the foot and back to the waist.
void append_foot(Profile& profile, const Amphora& a) {
  const double half = a.wall / 2, foot = a.waist + a.wall;
  profile.push_back(straight_piece({0, a.bottom}, {foot, a.bottom}));
  profile.push_back(arc_piece({foot, a.bottom + half}, half, -kPi / 2, kPi / 2));
  profile.back().least_cuts = 2;
  profile.push_back(straight_piece({foot, a.bottom + a.wall}, {a.waist, a.bottom + a.wall}));
}

/// Appends the profile from the waist up to the rim, and around it.
void append_outer_wall(Profile& profile, const Amphora& a) {
  profile.push_back(arc_piece(a.body_centre, a.body, -a.body_angle, 0));
  profile.push_back(arc_piece(a.shoulder_centre, a.shoulder, 0, a.bend));
  profile.push_back(arc_piece(a.hollow_centre, a.hollow, kPi + a.bend, kPi));
  profile.push_back(straight_piece({a.neck, a.hollow_centre.y()}, {a.neck, a.lip_base}));
  profile.push_back(arc_piece(a.lip_centre, a.lip, kPi, kPi - kLipTurn));
  const Vec2 outward(-std::cos(kLipTurn), std::sin(kLipTurn));
  profile.push_back(arc_piece(a.lip_centre + (a.lip + a.wall / 2) * outward, a.wall / 2, -kLipTurn, kPi - kLipTurn));
  profile.back().least_cuts = 2;
}

/// Appends the profile from the rim down to the floor, a wall's thickness above the foot, and to the axis.
void append_inner_wall(Profile& profile, const Amphora& a) {
  const double neck = a.neck - a.wall, body = a.body - a.wall, floor = a.bottom + 2 * a.wall;
  profile.push_back(arc_piece(a.lip_centre, a.lip + a.wall, kPi - kLipTurn, kPi));
  profile.push_back(straight_piece({neck, a.lip_base}, {neck, a.hollow_centre.y()}));
  profile.push_back(arc_piece(a.hollow_centre, a.hollow + a.wall, kPi, kPi + a.bend));
  profile.push_back(arc_piece(a.shoulder_centre, a.shoulder - a.wall, a.bend, 0));
  const double angle = std::asin((a.widest - floor) / body);
  profile.push_back(arc_piece(a.body_centre, body, 0, -angle));
  profile.push_back(straight_piece({a.body_centre.x() + body * std::cos(angle), floor}, {0, floor}));
}

}  // namespace

Profile dumbbell_profile(const Request& request) {
  const double ball = request.radius_m, neck = request.tube_radius_m, centre = request.length_m / 2;
  const double seam = std::acos(neck / ball), neck_end = centre - ball * std::sin(seam);
  Profile profile{arc_piece({0, -centre}, ball, -kPi / 2, seam), straight_piece({neck, -neck_end}, {neck, neck_end}),
                  arc_piece({0, centre}, ball, -seam, kPi / 2)};
  profile[1].least_cuts = 2;
  return profile;
}

Profile goblet_profile(const Request& request) {
  const double outer = request.radius_m, wall = request.thickness_m, stem = request.tube_radius_m;
  const double foot = kFoot * outer, top = request.length_m / 2, bottom = -top, centre = top - kStraightPart * outer;
  const double seam = -std::acos(stem / outer);
  Profile profile{straight_piece({0, bottom}, {foot, bottom}),
                  straight_piece({foot, bottom}, {foot, bottom + wall}),
                  straight_piece({foot, bottom + wall}, {stem, bottom + 2 * wall}),
                  straight_piece({stem, bottom + 2 * wall}, {stem, centre + outer * std::sin(seam)}),
                  arc_piece({0, centre}, outer, seam, 0),
                  straight_piece({outer, centre}, {outer, top - wall / 2})};
  append_rim(profile, outer, wall, top, centre);
  profile.push_back(arc_piece({0, centre}, outer - wall, 0, -kPi / 2));
  return profile;
}

Profile amphora_profile(const Request& request) {
  const Amphora a = amphora(request);
  Profile profile;
  append_foot(profile, a);
  append_outer_wall(profile, a);
  append_inner_wall(profile, a);
  return profile;
}

Profile cup_profile(const Request& request) {
  const double outer = request.radius_m, wall = request.thickness_m, top = request.length_m / 2, bottom = -top;
  Profile profile{straight_piece({0, bottom}, {outer, bottom}),
                  straight_piece({outer, bottom}, {outer, top - wall / 2})};
  append_rim(profile, outer, wall, top, bottom + wall);
  profile.push_back(straight_piece({outer - wall, bottom + wall}, {0, bottom + wall}));
  return profile;
}

double swept_volume_m3(const Profile& profile) {
  return std::accumulate(profile.begin(), profile.end(), 0.0,
                         [](double sum, const ProfilePiece& piece) { return sum + piece.swept_m3; });
}

void require_valid_dumbbell(const Request& request) {
  require_below("tube_radius_m", request.tube_radius_m, "radius_m", request.radius_m);
  require_below("radius_m", request.radius_m, "half of length_m", request.length_m / 2);
}

void require_valid_goblet(const Request& request) {
  require_below("tube_radius_m", request.tube_radius_m, "0.8 radius_m", kFoot * request.radius_m);
  require_below("thickness_m", request.thickness_m, "0.5 radius_m", kStraightPart * request.radius_m);
  require_below("radius_m", request.radius_m, "(length_m - 2 thickness_m) / 1.5",
                (request.length_m - 2 * request.thickness_m) / (1 + kStraightPart));
}

void require_valid_amphora(const Request& request) {
  require_below("tube_radius_m", request.tube_radius_m, "0.6 radius_m", kWidestNeck * request.radius_m);
  require_below("thickness_m", request.thickness_m, "0.2 radius_m", kThickestWall * request.radius_m);
  require_below("thickness_m", request.thickness_m, "tube_radius_m", request.tube_radius_m);
  const Amphora a = amphora_radii(request);
  const double least = height_of_ends_m(a) + kLeastSlope * (request.radius_m - a.waist) / (1 - kNeckShare);
  if (request.length_m < least)
    throw core::Error(
        fmt::format("length_m = {:g} is too short for an amphora of these radii, which needs {:.3g} or "
                    "more. Choose a larger length_m, or a smaller radius_m.",
                    request.length_m, least));
}

}  // namespace brisance::mesh
