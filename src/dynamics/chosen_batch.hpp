/// Chosen elements, packed into one block of eight at a time: whatever stands in the other lanes, an element's own lane
/// goes through the same arithmetic as in the force pass.
#include "brisance/dynamics/internal_forces.hpp"

#include "dynamics/element_kernel.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#if defined(BRISANCE_DYNAMICS_CHOSEN_BATCH) == defined(HWY_TARGET_TOGGLE)
#ifdef BRISANCE_DYNAMICS_CHOSEN_BATCH
#undef BRISANCE_DYNAMICS_CHOSEN_BATCH
#else
#define BRISANCE_DYNAMICS_CHOSEN_BATCH
#endif

HWY_BEFORE_NAMESPACE();
namespace brisance::dynamics::HWY_NAMESPACE {

struct ChosenBatch {
  dist::ElementBlock block{};  ///< lanes past the chosen ones: volume 0, corners nobody
  PlasticBlock plastic{};      ///< zero where nothing flows
  material::Index material_of[dist::kBatch]{};

  /// Packs `chosen` (at most eight element slots).
  ChosenBatch(const ElementSpans& elements, std::span<const std::int32_t> chosen) {
    for (std::size_t lane = 0; lane < chosen.size(); ++lane) {
      const std::int32_t slot = chosen[lane];
      const int at = slot % dist::kBatch;
      dist::copy_lane(elements.blocks[slot / dist::kBatch], at, block, static_cast<int>(lane));
      material_of[lane] = elements.material_of[slot];
      if (elements.plastic.empty()) continue;
      const PlasticBlock& flowed = elements.plastic[slot / dist::kBatch];
      for (int k = 0; k < 6; ++k) plastic.strain[k][lane] = flowed.strain[k][at];
    }
  }
};

HWY_INLINE ElementLanes evaluate(const ChosenBatch& batch, int first, const LawTable& laws,
                                 const dist::NodeMotion* nodes) {
  ElementLanes e =
      evaluate(batch.block, &batch.plastic, first, laws.of(batch.material_of + first), laws.any_resists(), nodes);
  if (Stiffness c; laws.any_anisotropic() && laws.stiffness(batch.material_of + first, c)) take_directions(c, e);
  return e;
}

/// vol (σ^ε : ε^e)/8, or vol W of neo-Hookean elements [J].
HWY_INLINE Lanes elastic_energy(const ElementLanes& e, const ChosenBatch& batch, int first, const LawTable& laws) {
  const Lanes hooke =
      elastic_energy(e.elastic_stress, difference(e.strain, load_plastic_strain(batch.plastic, first)), e.volume);
  if (!e.any_resists) return hooke;
  const Law law = laws.of(batch.material_of + first);
  return select(e.resists, neo_hookean_energy(e.deformation, e.strain, law, e.volume), hooke);
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

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
