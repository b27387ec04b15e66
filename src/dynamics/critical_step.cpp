// The shortest stable step of all elements.
#include "brisance/dynamics/critical_step.hpp"

#include <algorithm>
#include <array>

// foreach_target.h compiles this file again for each instruction set, so the kernels come after it.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dynamics/critical_step.cpp"
#include <hwy/foreach_target.h>
#include "dynamics/chosen_batch.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace brisance::dynamics::HWY_NAMESPACE {
namespace {

/// Per material: twice the pressure wave speed [m/s] and the damping time [s].
struct StepLaw {
  double twice_speed, damping_time;
};

std::array<StepLaw, 256> step_laws(std::span<const material::Material> materials) {
  std::array<StepLaw, 256> laws{};
  for (std::size_t i = 0; i < materials.size() && i < laws.size(); ++i)
    laws[i] = {2 * material::pressure_wave_speed(materials[i]), material::damping_time(materials[i])};
  return laws;
}

HWY_INLINE Lanes strain_norm(const dist::ElementBlock& block, int first, const Matrix& gradient,
                             const dist::NodeMotion* nodes) {
  const EdgeLanes edges = load_edges(block, first, nodes);
  const Symmetric strain = green_strain(deformation_gradient(edges.position, gradient));
  return hn::Sqrt(contraction(strain, strain));
}

/// Steps and strains of kLanes elements.
struct StepLanes {
  HWY_ALIGN double step[kLanes], strain[kLanes] = {};
};

template <bool kStrained>
HWY_INLINE StepLanes steps_of(const dist::ElementBlock& block, const std::uint8_t* material_of, int first,
                              const std::array<StepLaw, 256>& laws, const dist::NodeMotion* nodes) {
  StepLanes result;
  HWY_ALIGN double twice_speed[kLanes], damping_time[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    const StepLaw& law = laws[material_of[l]];
    twice_speed[l] = law.twice_speed;
    damping_time[l] = law.damping_time * block.damping_scale[first + l];
  }
  const Matrix gradient = load_gradients(block, first);
  const Lanes frequency = frequency_bound(gradient, hn::Load(kTag, twice_speed));
  Lanes stable = stable_step(frequency, hn::Load(kTag, damping_time));
  if constexpr (kStrained) {
    const Lanes norm = strain_norm(block, first, gradient, nodes);
    stable = stable / hn::MulAdd(all(1.5), norm, all(1));
    hn::Store(norm, kTag, result.strain);
  }
  hn::Store(stable, kTag, result.step);
  return result;
}

HWY_INLINE void take_note(double step_s, double strain, std::int32_t slot, CriticalStep& shortest) {
  shortest.max_strain = std::max(shortest.max_strain, strain);
  if (step_s >= shortest.step_s) return;
  shortest.step_s = step_s;
  shortest.slot = slot;
}

template <bool kStrained>
CriticalStep shortest(const ElementSpans& elements, std::span<const material::Material> materials,
                      const dist::NodeMotion* nodes, std::span<float> strains) {
  const auto laws = step_laws(materials);
  CriticalStep shortest;
  for (std::size_t b = 0; b < elements.blocks.size(); ++b) {
    const dist::ElementBlock& block = elements.blocks[b];
    for (int first = 0; first < dist::kBatch; first += kLanes) {
      const std::size_t slot = b * dist::kBatch + first;
      const StepLanes lanes = steps_of<kStrained>(block, &elements.material_of[slot], first, laws, nodes);
      if (!strains.empty()) std::copy(lanes.strain, lanes.strain + kLanes, &strains[slot]);
      for (int l = 0; l < kLanes; ++l)
        if (block.volume[first + l] != 0)
          take_note(lanes.step[l], lanes.strain[l], static_cast<std::int32_t>(slot + l), shortest);
    }
  }
  return shortest;
}

}  // namespace

CriticalStep shortest_at_rest(const ElementSpans& elements, std::span<const material::Material> materials) {
  return shortest<false>(elements, materials, nullptr, {});
}

CriticalStep shortest_strained(const ElementSpans& elements, std::span<const material::Material> materials,
                               std::span<const dist::NodeMotion> nodes, std::span<float> strain) {
  return shortest<true>(elements, materials, nodes.data(), strain);
}

CriticalStep shortest_of(const ElementSpans& elements, std::span<const material::Material> materials,
                         std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                         std::span<float> strain) {
  const auto laws = step_laws(materials);
  CriticalStep shortest;
  for_each_batch(elements, chosen, [&](const ChosenBatch& batch, int first, std::size_t position, int count) {
    const StepLanes lanes = steps_of<true>(batch.block, batch.material_of + first, first, laws, nodes.data());
    for (int l = 0; l < count; ++l) {
      const std::int32_t slot = chosen[position + l];
      strain[slot] = static_cast<float>(lanes.strain[l]);
      take_note(lanes.step[l], lanes.strain[l], slot, shortest);
    }
  });
  return shortest;
}

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace brisance::dynamics {

HWY_EXPORT(shortest_at_rest);
HWY_EXPORT(shortest_strained);
HWY_EXPORT(shortest_of);

CriticalStep critical_step(const ElementSpans& elements, std::span<const material::Material> materials) {
  return HWY_DYNAMIC_DISPATCH(shortest_at_rest)(elements, materials);
}

CriticalStep critical_step(const ElementSpans& elements, std::span<const material::Material> materials,
                           std::span<const dist::NodeMotion> nodes, std::span<float> strain) {
  return HWY_DYNAMIC_DISPATCH(shortest_strained)(elements, materials, nodes, strain);
}

CriticalStep critical_step_of(const ElementSpans& elements, std::span<const material::Material> materials,
                              std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                              std::span<float> strain) {
  return HWY_DYNAMIC_DISPATCH(shortest_of)(elements, materials, nodes, chosen, strain);
}

}  // namespace brisance::dynamics
#endif
