// Forces of chosen elements at their corners, total and tensile, and their dyads: the terms of the separation tensor.
#include "brisance/dynamics/internal_forces.hpp"

#include <cassert>

// foreach_target.h compiles this file again for each instruction set, so the kernels come after it.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dynamics/corner_forces.cpp"
#include <hwy/foreach_target.h>
#include "dynamics/chosen_batch.hpp"
#include "dynamics/tensile_part.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace brisance::dynamics::HWY_NAMESPACE {
namespace {

/// m(a) = a aᵀ/|a|, m(0) = 0; a force below 1e-150 N counts as none.
HWY_INLINE Symmetric dyad(const Vector& a) {
  const Lanes x = a.at[0], y = a.at[1], z = a.at[2];
  const Lanes squared = hn::MulAdd(x, x, hn::MulAdd(y, y, z * z));
  const Lanes tiny = all(1e-300);
  const Lanes weight = hn::IfThenElseZero(hn::Gt(squared, tiny), all(1) / hn::Sqrt(hn::Max(squared, tiny)));
  const Lanes wx = weight * x, wy = weight * y, wz = weight * z;
  return {{wx * x, wy * y, wz * z, wx * y, wy * z, wz * x}};
}

/// m(f⁺) − m(f − f⁺).
HWY_INLINE Symmetric spread(const Vector& total, const Vector& tensile) {
  Vector compressive;
  for (int i = 0; i < 3; ++i) compressive.at[i] = total.at[i] - tensile.at[i];
  const Symmetric pulled = dyad(tensile), pushed = dyad(compressive);
  return difference(pulled, pushed);
}

/// Writes lanes into element records.
void store(const FourForces& total, const FourForces& tensile, int count, CornerForces* result) {
  HWY_ALIGN double row[kLanes];
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 3; ++i) {
      hn::Store(total.at[j].at[i], kTag, row);
      for (int l = 0; l < count; ++l) result[l].corner[j].total[i] = row[l];
      hn::Store(tensile.at[j].at[i], kTag, row);
      for (int l = 0; l < count; ++l) result[l].corner[j].tensile[i] = row[l];
    }
    const Symmetric dyads = spread(total.at[j], tensile.at[j]);
    for (int k = 0; k < 6; ++k) {
      hn::Store(dyads.at[k], kTag, row);
      for (int l = 0; l < count; ++l) result[l].corner[j].spread[k] = row[l];
    }
  }
}

}  // namespace

void chosen_corner_forces(const ElementSpans& elements, std::span<const material::Material> materials,
                          std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                          std::span<CornerForces> result) {
  const LawTable laws(materials);
  for_each_batch(elements, chosen, [&](const ChosenBatch& batch, int first, std::size_t position, int count) {
    const ElementLanes e = evaluate(batch, first, laws, nodes.data());
    const Symmetric stress = sum(e.elastic_stress, e.viscous_stress);
    store(forces_of(e, stress), forces_of_stress(e.deformation, tensile_part(stress), e.gradient, e.volume), count,
          &result[position]);
  });
}

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace brisance::dynamics {

HWY_EXPORT(chosen_corner_forces);

void corner_forces(const ElementSpans& elements, std::span<const material::Material> materials,
                   std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                   std::span<CornerForces> result) {
  assert(result.size() == chosen.size());
  HWY_DYNAMIC_DISPATCH(chosen_corner_forces)(elements, materials, nodes, chosen, result);
}

}  // namespace brisance::dynamics
#endif
