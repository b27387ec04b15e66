// Elastic energy and plastic work of the elements, summed exactly.
#include "brisance/dynamics/energies.hpp"

// foreach_target.h compiles this file again for each instruction set, so the kernels come after it.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dynamics/energies.cpp"
#include <hwy/foreach_target.h>
#include "dynamics/chosen_batch.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace brisance::dynamics::HWY_NAMESPACE {

void chosen_energies(const ElementSpans& elements, std::span<const material::Material> materials,
                     std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> counted,
                     ElementEnergies& sums) {
  const LawTable laws(materials);
  for_each_batch(elements, counted, [&](const ChosenBatch& batch, int first, std::size_t position, int count) {
    HWY_ALIGN double energy[kLanes];
    hn::Store(elastic_energy(evaluate(batch, first, laws, nodes.data()), batch, first, laws), kTag, energy);
    for (int l = 0; l < count; ++l) {
      sums.elastic.add(energy[l]);
      if (elements.plastic.empty()) continue;
      const std::int32_t slot = counted[position + l];
      const double per_volume = elements.plastic[slot / dist::kBatch].dissipated[slot % dist::kBatch];
      sums.plastic_work.add(per_volume * batch.block.volume[first + l]);
    }
  });
}

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace brisance::dynamics {

HWY_EXPORT(chosen_energies);

ElementEnergies element_energies(const ElementSpans& elements, std::span<const material::Material> materials,
                                 std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> counted) {
  ElementEnergies sums;
  HWY_DYNAMIC_DISPATCH(chosen_energies)(elements, materials, nodes, counted, sums);
  return sums;
}

}  // namespace brisance::dynamics
#endif
