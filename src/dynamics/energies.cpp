#include "brisance/dynamics/energies.hpp"

#include "chosen_batch.hpp"

namespace brisance::dynamics {

ElementEnergies element_energies(const ElementSpans& elements, std::span<const material::Material> materials,
                                 std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> counted) {
  ElementEnergies sums;
  const LawTable laws(materials);
  for_each_batch(elements, counted, [&](const ChosenBatch& batch, int first, std::size_t position, int count) {
    HWY_ALIGN double energy[kLanes];
    hn::Store(elastic_energy(evaluate(batch, first, laws, nodes.data())), kTag, energy);
    for (int l = 0; l < count; ++l) {
      sums.elastic.add(energy[l]);
      if (elements.plastic.empty()) continue;
      const std::int32_t slot = counted[position + l];
      const double per_volume = elements.plastic[slot / dist::kBatch].dissipated[slot % dist::kBatch];
      sums.plastic_work.add(per_volume * batch.block.volume[first + l]);
    }
  });
  return sums;
}

}  // namespace brisance::dynamics
