#include "mesh/profiles.hpp"

#include "mesh/dimensions.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace brisance::mesh {
namespace {

constexpr double kPi = std::numbers::pi;
// Of a goblet, over its radius: the foot, and the straight part above the half sphere.
constexpr double kFoot = 0.8, kStraightPart = 0.5;

/// From the outer wall over half a turn to the inner one, ending at the height given.
void append_rim(Profile& profile, double outer, double thickness, double top, double end) {
  const double half = thickness / 2;
  profile.push_back(arc_piece({outer - half, top - half}, half, 0, kPi));
  profile.back().least_cuts = 2;
  profile.push_back(straight_piece({outer - thickness, top - half}, {outer - thickness, end}));
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

}  // namespace brisance::mesh
