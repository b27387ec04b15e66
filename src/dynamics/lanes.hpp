/// The vector types of the element kernels: one double of each of `kLanes` elements, through Google Highway.
/// A block holds dist::kBatch elements whatever the machine; kernels walk it in steps of kLanes.
///
/// This header and those that include it are compiled once for each instruction set, each in a namespace of its own: a
/// unit that uses them names itself in HWY_TARGET_INCLUDE and includes <hwy/foreach_target.h> first. Which of the
/// copies runs is chosen when the program starts (vector_units.hpp). Products and sums are fused where the text says so
/// and nowhere else, lanes are independent, and sums over lanes go in ascending order: all copies give the same bits.
#include "brisance/dist/element_block.hpp"

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#if defined(BRISANCE_DYNAMICS_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef BRISANCE_DYNAMICS_LANES
#undef BRISANCE_DYNAMICS_LANES
#else
#define BRISANCE_DYNAMICS_LANES
#endif

HWY_BEFORE_NAMESPACE();
namespace brisance::dynamics::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using LaneTag = hn::CappedTag<double, dist::kBatch>;
using Lanes = hn::Vec<LaneTag>;
inline constexpr LaneTag kTag{};
inline constexpr int kLanes = static_cast<int>(hn::MaxLanes(LaneTag{}));
static_assert(dist::kBatch % kLanes == 0);

// Functions that elements/law.inl needs.
using Real = Lanes;
using Mask = hn::Mask<LaneTag>;
HWY_INLINE Lanes all(double value) { return hn::Set(kTag, value); }
HWY_INLINE Lanes mul_add(Lanes a, Lanes b, Lanes c) { return hn::MulAdd(a, b, c); }
HWY_INLINE Lanes mul_sub(Lanes a, Lanes b, Lanes c) { return hn::MulSub(a, b, c); }
HWY_INLINE Lanes neg(Lanes a) { return hn::Neg(a); }
HWY_INLINE Lanes root(Lanes a) { return hn::Sqrt(a); }
HWY_INLINE Lanes logarithm(Lanes a) { return hn::Log(kTag, a); }
HWY_INLINE Mask greater(Lanes a, Lanes b) { return hn::Gt(a, b); }
HWY_INLINE Mask both(Mask m, Mask n) { return hn::And(m, n); }
HWY_INLINE bool none(Mask m) { return hn::AllFalse(kTag, m); }
HWY_INLINE Lanes select(Mask m, Lanes a, Lanes b) { return hn::IfThenElse(m, a, b); }

#define ELEMENTS_INLINE HWY_INLINE
#include "brisance/elements/law.inl"
#undef ELEMENTS_INLINE

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
