#include "brisance/contact/rigid/prescribed_path.hpp"

#include <algorithm>
#include <numbers>

namespace brisance::contact {
namespace {

Eigen::AngleAxisd turn(double degrees, const Vec3& axis) {
  return Eigen::AngleAxisd(degrees * (std::numbers::pi / 180), axis);
}

/// The shorter of the two rotations from one orientation to the next, as slerp takes it.
void turn_shorter_way(const KeyFrame& from, const KeyFrame& to, double share, double interval, BodyState& state) {
  const Eigen::Quaterniond first = from.orientation.normalized(), last = to.orientation.normalized();
  Eigen::Quaterniond turn = last * first.conjugate();
  if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
  const Eigen::AngleAxisd rotation(turn);
  state.orientation =
      (Eigen::Quaterniond(Eigen::AngleAxisd(share * rotation.angle(), rotation.axis())) * first).normalized();
  state.angular_velocity = rotation.angle() / interval * rotation.axis();
}

/// Each angle changes linearly. R = R_z R_y R_x turns with ω = ż e_z + ẏ R_z e_y + ẋ R_z R_y e_x, so a turn about one
/// axis alone is steady.
void turn_by_angles(const Vec3& from_deg, const Vec3& to_deg, double share, double interval, BodyState& state) {
  const Vec3 angles = from_deg + share * (to_deg - from_deg);
  const Vec3 rate = (to_deg - from_deg) * (std::numbers::pi / 180) / interval;
  const Eigen::Quaterniond about_z(turn(angles.z(), Vec3::UnitZ()));
  const Eigen::Quaterniond about_z_and_y = about_z * turn(angles.y(), Vec3::UnitY());
  state.orientation = turned_about(angles).normalized();
  state.angular_velocity =
      rate.z() * Vec3::UnitZ() + rate.y() * (about_z * Vec3::UnitY()) + rate.x() * (about_z_and_y * Vec3::UnitX());
}

bool turns_by_angles(const KeyFrame& from, const KeyFrame& to) {
  return from.angles_deg && to.angles_deg && (*to.angles_deg - *from.angles_deg).cwiseAbs().maxCoeff() >= 180;
}

BodyState at_rest(const KeyFrame& frame) {
  BodyState state;
  state.position = frame.position;
  state.orientation = frame.orientation.normalized();
  return state;
}

}  // namespace

Eigen::Quaterniond turned_about(const Vec3& angles_deg) {
  return Eigen::Quaterniond(turn(angles_deg.z(), Vec3::UnitZ()) * turn(angles_deg.y(), Vec3::UnitY()) *
                            turn(angles_deg.x(), Vec3::UnitX()));
}

BodyState state_on_path(std::span<const KeyFrame> frames, double time_s) {
  const auto later = [](double time, const KeyFrame& frame) { return time < frame.time_s; };
  const auto next = std::upper_bound(frames.begin(), frames.end(), time_s, later);
  if (next == frames.begin()) return at_rest(frames.front());
  if (next == frames.end()) return at_rest(frames.back());

  const KeyFrame& from = *(next - 1);
  const KeyFrame& to = *next;
  const double interval = to.time_s - from.time_s;
  const double share = (time_s - from.time_s) / interval;
  BodyState state;
  state.position = from.position + share * (to.position - from.position);
  state.velocity = (to.position - from.position) / interval;
  if (turns_by_angles(from, to))
    turn_by_angles(*from.angles_deg, *to.angles_deg, share, interval, state);
  else
    turn_shorter_way(from, to, share, interval, state);
  return state;
}

}  // namespace brisance::contact
