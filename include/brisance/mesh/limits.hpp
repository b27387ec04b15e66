/// How large and how small a body may be.
#pragma once

#include "brisance/core/types.hpp"

namespace brisance::mesh {

/// No coordinate and no length is beyond [m], and no body is smaller: a tenth of a light year, the size of a proton.
/// What is squared or cubed on the way to a mesh or a picture stays an ordinary number so.
inline constexpr double kLargestLength_m = 1e15, kSmallestBody_m = 1e-15;

/// Whether all three coordinates are numbers within the largest length.
[[nodiscard]] inline bool is_place(const Vec3& x) { return (x.array().abs() <= kLargestLength_m).all(); }

}  // namespace brisance::mesh
