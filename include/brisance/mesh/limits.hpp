/// Limits of a body's size.
#pragma once

#include "brisance/core/types.hpp"

namespace brisance::mesh {

/// Bounds on coordinates and lengths, and on the smallest body [m]: a tenth of a light year, the size of a proton.
/// Squares and cubes of lengths then neither overflow nor underflow.
inline constexpr double kLargestLength_m = 1e15, kSmallestBody_m = 1e-15;

/// Are all three coordinates finite and within the largest length?
[[nodiscard]] inline bool is_place(const Vec3& x) { return (x.array().abs() <= kLargestLength_m).all(); }

}  // namespace brisance::mesh
