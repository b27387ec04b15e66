/// Keys of [[collider]] that turn it, as angles or as a quaternion, and those that lead it along a path: parallel lists
/// with one entry a key frame, of which path_time_s is read first.
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
