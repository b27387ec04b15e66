#include "prescribed_path.hpp"

#include <algorithm>

namespace brisance::contact {
namespace {

BodyState at_rest(const KeyFrame& frame) {
  BodyState state;
  state.position = frame.position;
  state.orientation = frame.orientation.normalized();
  return state;
}

}  // namespace

BodyState state_on_path(std::span<const KeyFrame> frames, double time_s) {
  const auto later = [](double time, const KeyFrame& frame) { return time < frame.time_s; };
  const auto next = std::upper_bound(frames.begin(), frames.end(), time_s, later);
  if (next == frames.begin()) return at_rest(frames.front());
  if (next == frames.end()) return at_rest(frames.back());

  const KeyFrame& from = *(next - 1);
  const KeyFrame& to = *next;
  const double interval = to.time_s - from.time_s;
  const double share = (time_s - from.time_s) / interval;
  const Eigen::Quaterniond first = from.orientation.normalized(), last = to.orientation.normalized();
  BodyState state;
  state.position = from.position + share * (to.position - from.position);
  state.velocity = (to.position - from.position) / interval;

  // Of the two turns that lead from one orientation to the next the shorter one, as slerp takes it.
  Eigen::Quaterniond turn = last * first.conjugate();
  if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
  const Eigen::AngleAxisd rotation(turn);
  state.orientation =
      (Eigen::Quaterniond(Eigen::AngleAxisd(share * rotation.angle(), rotation.axis())) * first).normalized();
  state.angular_velocity = rotation.angle() / interval * rotation.axis();
  return state;
}

}  // namespace brisance::contact
