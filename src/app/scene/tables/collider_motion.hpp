/// Keys of a [[collider]]'s orientation, as angles or as a quaternion, and those of its prescribed path: parallel lists
/// with one entry for each key frame, of which path_time_s is read first.
#pragma once

#include "app/scene/key.hpp"

namespace brisance::app {

/// The i-th collider of a scene.
inline constexpr auto kCollider = [](auto& s, std::size_t i) -> auto& { return s.colliders.at(i); };

[[nodiscard]] Key collider_rotation();
[[nodiscard]] Key collider_orientation();

[[nodiscard]] Key path_time();
[[nodiscard]] Key path_position();
[[nodiscard]] Key path_rotation();
[[nodiscard]] Key path_orientation();

}  // namespace brisance::app
