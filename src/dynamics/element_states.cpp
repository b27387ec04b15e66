// Stress, strain and energies of chosen elements: for output, step control and the energy ledger.
#include "brisance/dynamics/internal_forces.hpp"

#include <cassert>

// foreach_target.h compiles this file again for each instruction set, so the kernels come after it.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dynamics/element_states.cpp"
#include <hwy/foreach_target.h>
#include "dynamics/chosen_batch.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace brisance::dynamics::HWY_NAMESPACE {
namespace {

void store(Lanes value, int count, ElementState* result, auto member) {
  HWY_ALIGN double row[kLanes];
  hn::Store(value, kTag, row);
  for (int l = 0; l < count; ++l) member(result[l]) = row[l];
}

void store(const ElementLanes& e, Lanes energy, int count, ElementState* result) {
  const Symmetric stress = sum(e.elastic_stress, e.viscous_stress);

  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      store(e.deformation.at[i][k], count, result, [=](auto& s) -> double& { return s.deformation_gradient[i][k]; });
  for (int k = 0; k < 6; ++k) {
    store(e.strain.at[k], count, result, [=](auto& s) -> double& { return s.strain[k]; });
    store(e.rate.at[k], count, result, [=](auto& s) -> double& { return s.strain_rate[k]; });
    store(stress.at[k], count, result, [=](auto& s) -> double& { return s.stress[k]; });
  }
  store(energy, count, result, [](auto& s) -> double& { return s.elastic_energy; });
  store(damping_power(e.viscous_stress, e.rate, e.volume), count, result,
        [](auto& s) -> double& { return s.damping_power; });
  store(determinant(e.deformation), count, result, [](auto& s) -> double& { return s.determinant; });
}

}  // namespace

void chosen_element_states(const ElementSpans& elements, std::span<const material::Material> materials,
                           std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                           std::span<ElementState> result) {
  const LawTable laws(materials);
  for_each_batch(elements, chosen, [&](const ChosenBatch& batch, int first, std::size_t position, int count) {
    const ElementLanes e = evaluate(batch, first, laws, nodes.data());
    store(e, elastic_energy(e, batch, first, laws), count, &result[position]);
  });
}

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace brisance::dynamics {

HWY_EXPORT(chosen_element_states);

void element_states(const ElementSpans& elements, std::span<const material::Material> materials,
                    std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                    std::span<ElementState> result) {
  assert(result.size() == chosen.size());
  HWY_DYNAMIC_DISPATCH(chosen_element_states)(elements, materials, nodes, chosen, result);
}

}  // namespace brisance::dynamics
#endif
