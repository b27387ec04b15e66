/// Conversions between vectors and the plain arrays of messages.
#pragma once

#include "brisance/core/types.hpp"

#include <array>

namespace brisance::contact {

[[nodiscard]] inline std::array<double, 3> numbers(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
[[nodiscard]] inline Vec3 vec(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

}  // namespace brisance::contact
