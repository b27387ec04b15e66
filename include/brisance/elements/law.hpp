/// One tet's formulas on plain numbers. The vector kernels of dynamics compile the same text (law.inl), fused
/// operations included, and give the same bits (but for those of a logarithm): the code tested here is the code that
/// runs.
#pragma once

#include <cmath>

namespace brisance::elements {

using Real = double;
using Mask = bool;
inline Real all(double x) { return x; }
inline Real mul_add(Real a, Real b, Real c) { return std::fma(a, b, c); }
inline Real mul_sub(Real a, Real b, Real c) { return std::fma(a, b, -c); }
inline Real neg(Real a) { return -a; }
inline Real root(Real a) { return std::sqrt(a); }
inline Real logarithm(Real a) { return std::log(a); }
inline Mask greater(Real a, Real b) { return a > b; }
inline Mask both(Mask m, Mask n) { return m && n; }
inline bool none(Mask m) { return !m; }
inline Real select(Mask m, Real a, Real b) { return m ? a : b; }

#define ELEMENTS_INLINE inline
#include "brisance/elements/law.inl"
#undef ELEMENTS_INLINE

}  // namespace brisance::elements
