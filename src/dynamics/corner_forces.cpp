// Forces of chosen elements at their corners, total and tensile: the terms of the separation tensor.
#include "chosen_batch.hpp"
#include "tensile_part.hpp"

#include <cassert>

namespace brisance::dynamics {
namespace {

/// Lane by lane into element records.
void store(const FourForces& total, const FourForces& tensile, int count, CornerForces* result) {
  HWY_ALIGN double row[kLanes];
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 3; ++i) {
      hn::Store(total.at[j].at[i], kTag, row);
      for (int l = 0; l < count; ++l) result[l].total[j][i] = row[l];
      hn::Store(tensile.at[j].at[i], kTag, row);
      for (int l = 0; l < count; ++l) result[l].tensile[j][i] = row[l];
    }
}

}  // namespace

void corner_forces(const ElementSpans& elements, std::span<const material::Material> materials,
                   std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                   std::span<CornerForces> result) {
  assert(result.size() == chosen.size());
  const LawTable laws(materials);
  for_each_batch(elements, chosen, [&](const ChosenBatch& batch, int first, std::size_t position, int count) {
    const ElementLanes e = evaluate(batch, first, laws, nodes.data());
    const SymmetricLanes stress = sum(e.elastic_stress, e.viscous.stress);
    store(forces_of_stress(e.deformation, stress, e.gradient, e.volume),
          forces_of_stress(e.deformation, tensile_part(stress), e.gradient, e.volume), count, &result[position]);
  });
}

}  // namespace brisance::dynamics
