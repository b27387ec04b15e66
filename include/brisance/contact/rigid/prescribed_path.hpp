/// Pose and velocity of a body that follows key frames.
#pragma once

#include "brisance/contact/parameters.hpp"
#include "brisance/contact/rigid/rigid_contact.hpp"

#include <span>

namespace brisance::contact {

/// Pose, velocity and angular velocity at a time: linear in position between two frames, spherical-linear in
/// orientation or, where both frames have angles and one of these changes by half a turn or more, linear in the angles;
/// at a frame, those of the interval that begins. At rest before the first frame and from the last one on. `frames` is
/// not empty and ascending in time. Local; does not throw.
[[nodiscard]] BodyState state_on_path(std::span<const KeyFrame> frames, double time_s);

}  // namespace brisance::contact
