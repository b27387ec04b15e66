/// Chosen elements, in blocks of eight: an element's lane has the same arithmetic as in the force pass, for any
/// contents of the other lanes.
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

/// Data of at most eight elements.
struct ChosenBatch {
  const dist::ElementBlock& block;
  const PlasticBlock& plastic;  ///< zero if nothing flows
  const material::Index* material_of;
};

/// A block made of `chosen`, at most eight element slots.
struct PackedBatch {
  dist::ElementBlock block{};  ///< lanes past the chosen ones: volume 0, corners nobody
  PlasticBlock plastic{};
  material::Index material_of[dist::kBatch]{};

  PackedBatch(const ElementSpans& elements, std::span<const std::int32_t> chosen) {
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

/// Are the next eight of `chosen` a whole block in memory?
inline bool is_whole_block(std::span<const std::int32_t> chosen, std::size_t begin) {
  if (chosen[begin] % dist::kBatch != 0 || begin + dist::kBatch > chosen.size()) return false;
  for (int lane = 1; lane < dist::kBatch; ++lane)
    if (chosen[begin + lane] != chosen[begin] + lane) return false;
  return true;
}

/// Number of elements of `chosen` before the next whole block, eight at most.
inline std::size_t loose_elements(std::span<const std::int32_t> chosen, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < chosen.size() && end < begin + dist::kBatch && !is_whole_block(chosen, end)) ++end;
  return end - begin;
}

/// Calls work(batch, first, position of its first element in `chosen`, number of lanes in use). Whole blocks are used
/// in place, others are packed.
template <class Work>
void for_each_batch(const ElementSpans& elements, std::span<const std::int32_t> chosen, const Work& work) {
  static constexpr PlasticBlock kNothingFlowed{};
  for (std::size_t begin = 0; begin < chosen.size();) {
    if (is_whole_block(chosen, begin)) {
      const auto slot = static_cast<std::size_t>(chosen[begin]);
      const std::size_t b = slot / dist::kBatch;
      const ChosenBatch batch{elements.blocks[b], elements.plastic.empty() ? kNothingFlowed : elements.plastic[b],
                              &elements.material_of[slot]};
      for (int first = 0; first < dist::kBatch; first += kLanes) work(batch, first, begin + first, kLanes);
      begin += dist::kBatch;
      continue;
    }
    const auto some = chosen.subspan(begin, loose_elements(chosen, begin));
    const PackedBatch packed(elements, some);
    const ChosenBatch batch{packed.block, packed.plastic, packed.material_of};
    for (int first = 0; first < static_cast<int>(some.size()); first += kLanes)
      work(batch, first, begin + first, std::min<int>(kLanes, static_cast<int>(some.size()) - first));
    begin += some.size();
  }
}

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
