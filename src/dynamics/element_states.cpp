// Stress, strain and energies of chosen elements: what is written, watched and balanced.
#include "chosen_batch.hpp"

#include <cassert>

namespace brisance::dynamics {
namespace {

HWY_INLINE Lanes determinant(const MatrixLanes& f) {
  auto minor = [&](int a, int b) HWY_ATTR { return hn::MulSub(f.at[1][a], f.at[2][b], f.at[1][b] * f.at[2][a]); };
  return hn::MulAdd(f.at[0][0], minor(1, 2), hn::MulAdd(f.at[0][1], minor(2, 0), f.at[0][2] * minor(0, 1)));
}

void store(Lanes value, int count, ElementState* result, auto member) {
  HWY_ALIGN double row[kLanes];
  hn::Store(value, kTag, row);
  for (int l = 0; l < count; ++l) member(result[l]) = row[l];
}

void store(const ElementLanes& e, int count, ElementState* result) {
  const SymmetricLanes stress = sum(e.elastic_stress, e.viscous.stress);
  const Lanes power = all(1.0 / 4) * e.volume * contraction(e.viscous.stress, e.viscous.rate);

  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      store(e.deformation.at[i][k], count, result, [=](auto& s) -> double& { return s.deformation_gradient[i][k]; });
  for (int k = 0; k < 6; ++k) {
    store(e.strain.at[k], count, result, [=](auto& s) -> double& { return s.strain[k]; });
    store(e.viscous.rate.at[k], count, result, [=](auto& s) -> double& { return s.strain_rate[k]; });
    store(stress.at[k], count, result, [=](auto& s) -> double& { return s.stress[k]; });
  }
  store(elastic_energy(e), count, result, [](auto& s) -> double& { return s.elastic_energy; });
  store(power, count, result, [](auto& s) -> double& { return s.damping_power; });
  store(determinant(e.deformation), count, result, [](auto& s) -> double& { return s.determinant; });
}

}  // namespace

void element_states(const ElementSpans& elements, std::span<const material::Material> materials,
                    std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                    std::span<ElementState> result) {
  assert(result.size() == chosen.size());
  const LawTable laws(materials);
  for_each_batch(elements, chosen, [&](const ChosenBatch& batch, int first, std::size_t position, int count) {
    store(evaluate(batch, first, laws, nodes.data()), count, &result[position]);
  });
}

}  // namespace brisance::dynamics
