/// Chosen elements, packed into one block of eight at a time: whatever stands in the other lanes, an element's own lane
/// goes through the same arithmetic as in the force pass.
#pragma once

#include "brisance/dynamics/internal_forces.hpp"

#include "element_kernel.hpp"
#include "plastic_flow.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace brisance::dynamics {

struct ChosenBatch {
  dist::ElementBlock block{};    ///< lanes past the chosen ones: volume 0, corners nobody
  dist::PlasticBlock plastic{};  ///< zero where nothing flows
  std::uint8_t material_of[dist::kBatch]{};

  /// Packs `chosen` (at most eight element slots).
  ChosenBatch(const ElementSpans& elements, std::span<const std::int32_t> chosen) {
    for (std::size_t lane = 0; lane < chosen.size(); ++lane) {
      const std::int32_t slot = chosen[lane];
      const dist::ElementBlock& from = elements.blocks[slot / dist::kBatch];
      const int at = slot % dist::kBatch;
      for (int j = 0; j < 4; ++j) block.corner[j][lane] = from.corner[j][at];
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) block.gradient[j][k][lane] = from.gradient[j][k][at];
      block.volume[lane] = from.volume[at];
      block.damping_scale[lane] = from.damping_scale[at];
      material_of[lane] = elements.material_of[slot];
      if (elements.plastic.empty()) continue;
      const dist::PlasticBlock& flowed = elements.plastic[slot / dist::kBatch];
      for (int k = 0; k < 6; ++k) plastic.strain[k][lane] = flowed.strain[k][at];
    }
  }
};

/// Everything the stress of kLanes elements is made of.
struct ElementLanes {
  MatrixLanes gradient, deformation;
  Lanes volume;
  SymmetricLanes strain, plastic_strain, elastic_stress;
  ViscousLanes viscous;
};

HWY_INLINE ElementLanes evaluate(const ChosenBatch& batch, int first, const LawTable& laws,
                                 const dist::NodeMotion* nodes) {
  ElementLanes e;
  const LawLanes law = laws.of(batch.material_of + first);
  const EdgeLanes edges = load_edges(batch.block, first, nodes);
  e.gradient = load_gradients(batch.block, first);
  e.volume = hn::Load(kTag, batch.block.volume + first);
  e.deformation = deformation_gradient(edges.position, e.gradient);
  e.strain = green_strain(e.deformation);
  e.plastic_strain = load_plastic_strain(batch.plastic, first);
  e.elastic_stress = without_plastic_part(isotropic_stress(e.strain, law.lambda, law.two_mu), e.plastic_strain, law);
  e.viscous = viscous_state(e.deformation, edges, e.gradient, law, hn::Load(kTag, batch.block.damping_scale + first));
  return e;
}

/// vol (σ^ε : ε^e)/8 [J].
HWY_INLINE Lanes elastic_energy(const ElementLanes& e) {
  SymmetricLanes elastic_strain;
  for (int k = 0; k < 6; ++k) elastic_strain.at[k] = e.strain.at[k] - e.plastic_strain.at[k];
  return all(1.0 / 8) * e.volume * contraction(e.elastic_stress, elastic_strain);
}

/// Calls work(batch, first, position of its first element in `chosen`, how many of its lanes count).
template <class Work>
void for_each_batch(const ElementSpans& elements, std::span<const std::int32_t> chosen, const Work& work) {
  for (std::size_t begin = 0; begin < chosen.size(); begin += dist::kBatch) {
    const auto some = chosen.subspan(begin, std::min<std::size_t>(dist::kBatch, chosen.size() - begin));
    const ChosenBatch batch(elements, some);
    for (int first = 0; first < static_cast<int>(some.size()); first += kLanes)
      work(batch, first, begin + first, std::min<int>(kLanes, static_cast<int>(some.size()) - first));
  }
}

}  // namespace brisance::dynamics
