/// The vector types of the element kernels: one double of each of `kLanes` elements, through Google Highway.
/// A block holds dist::kBatch elements whatever the machine; kernels walk it in steps of kLanes.
#pragma once

#include "brisance/dist/element_block.hpp"

// The one instruction set is the compiler's (-march); without this, Highway asks for its run-time dispatch as well.
#define HWY_COMPILE_ONLY_STATIC
// x86-64-v3 has no AES instructions, which Highway otherwise wants beside AVX2; no kernel encrypts.
#define HWY_DISABLE_PCLMUL_AES
#include <hwy/highway.h>

namespace brisance::dynamics {

namespace hn = hwy::HWY_NAMESPACE;

using LaneTag = hn::CappedTag<double, dist::kBatch>;
using Lanes = hn::Vec<LaneTag>;
inline constexpr LaneTag kTag{};
inline constexpr int kLanes = static_cast<int>(hn::MaxLanes(LaneTag{}));
static_assert(dist::kBatch % kLanes == 0);

/// Vectors and tensors of kLanes elements side by side.
struct VectorLanes {
  Lanes at[3];
};
struct MatrixLanes {
  Lanes at[3][3];
};
/// xx yy zz xy yz zx, tensor shears: the order of SymMat3.
struct SymmetricLanes {
  Lanes at[6];
};

/// Where component (row, column) of a symmetric tensor stands among the six.
inline constexpr int kSymmetric[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};

HWY_INLINE Lanes all(double value) { return hn::Set(kTag, value); }

HWY_INLINE Lanes trace(const SymmetricLanes& t) { return t.at[0] + t.at[1] + t.at[2]; }

/// A : B = Σ_ij A_ij B_ij, each shear counted twice.
HWY_INLINE Lanes contraction(const SymmetricLanes& a, const SymmetricLanes& b) {
  const Lanes shears = hn::MulAdd(a.at[3], b.at[3], hn::MulAdd(a.at[4], b.at[4], a.at[5] * b.at[5]));
  const Lanes normals = hn::MulAdd(a.at[0], b.at[0], hn::MulAdd(a.at[1], b.at[1], a.at[2] * b.at[2]));
  return hn::MulAdd(all(2), shears, normals);
}

/// T − tr(T)/3 I.
HWY_INLINE SymmetricLanes deviator(const SymmetricLanes& t) {
  const Lanes mean = trace(t) * all(1.0 / 3.0);
  return {{t.at[0] - mean, t.at[1] - mean, t.at[2] - mean, t.at[3], t.at[4], t.at[5]}};
}

}  // namespace brisance::dynamics
