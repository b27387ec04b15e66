// The shortest stable step of all elements.
#include "brisance/dynamics/critical_step.hpp"

#include <algorithm>
#include <cassert>

// foreach_target.h compiles this file again for each instruction set, so the kernels come after it.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dynamics/critical_step.cpp"
#include <hwy/foreach_target.h>
#include "dynamics/chosen_batch.hpp"
#include "dynamics/prefetch.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace brisance::dynamics::HWY_NAMESPACE {
namespace {

/// Strain and stiffness of kLanes elements.
struct StiffnessLanes {
  HWY_ALIGN double strain[kLanes], stiffening[kLanes], stiffness[kLanes];
};

HWY_INLINE StiffnessLanes stiffness_of(const dist::ElementBlock& block, int first, const Law& law, bool any_resists,
                                       const dist::NodeMotion* nodes) {
  const Matrix gradient = load_gradients(block, first);
  const EdgeLanes edges = load_edges(block, first, nodes);
  const Matrix deformation = deformation_gradient(edges.position, gradient);
  const Symmetric strain = green_strain(deformation);
  const Lanes norm = hn::Sqrt(contraction(strain, strain));
  Lanes stiffening = norm;
  if (any_resists)
    stiffening = select(greater(law.resists, hn::Zero(kTag)), neo_hookean_stiffening(deformation, strain, law), norm);
  StiffnessLanes result;
  hn::Store(norm, kTag, result.strain);
  hn::Store(stiffening, kTag, result.stiffening);
  hn::Store(stiffness_bound(gradient, law, strain_factor(stiffening), hn::Load(kTag, block.volume + first)), kTag,
            result.stiffness);
  return result;
}

HWY_INLINE void add_to_corners(const dist::ElementBlock& block, int lane, double value, double* nodes) {
  for (const auto& corner : block.corner) nodes[corner[lane]] += value;
}

/// Of kLanes elements.
struct StrainLanes {
  HWY_ALIGN double norm[kLanes] = {}, stiffening[kLanes] = {};
  void take(const Strains& from, std::size_t slot, int lane) {
    norm[lane] = from.norm[slot];
    stiffening[lane] = from.stiffening[slot];
  }
};

/// Stable steps of kLanes elements.
struct StepLanes {
  HWY_ALIGN double step[kLanes];
};

HWY_INLINE StepLanes steps_of(const dist::ElementBlock& block, int first, const Law& law, const StrainLanes& strain,
                              const double* added_stiffness) {
  HWY_ALIGN double row[kLanes];
  Lanes corner[4];
  for (int j = 0; j < 4; ++j) {
    for (int l = 0; l < kLanes; ++l) row[l] = added_stiffness[block.corner[j][first + l]];
    corner[j] = hn::Load(kTag, row);
  }
  const Lanes damping_scale = hn::Load(kTag, block.damping_scale + first);
  StepLanes result;
  hn::Store(
      stable_step(load_gradients(block, first), law, damping_scale, strain_factor(hn::Load(kTag, strain.stiffening)),
                  strain_factor(hn::Load(kTag, strain.norm)), corner),
      kTag, result.step);
  return result;
}

HWY_INLINE void take_note(double step_s, double strain, std::int32_t slot, CriticalStep& shortest) {
  shortest.max_strain = std::max(shortest.max_strain, strain);
  if (!(step_s < shortest.step_s)) return;
  shortest.step_s = step_s;
  shortest.slot = slot;
}

}  // namespace

void measure(const ElementSpans& elements, std::span<const material::Material> materials,
             std::span<const dist::NodeMotion> nodes, const Strains& strains, std::span<double> stiffness) {
  const LawTable laws(materials);
  for (std::size_t b = 0; b < elements.blocks.size(); ++b) {
    prefetch_ahead(elements.blocks, b);
    prefetch_nodes_ahead(elements.blocks, b, nodes.data(), stiffness.data());
    const dist::ElementBlock& block = elements.blocks[b];
    for (int first = 0; first < dist::kBatch; first += kLanes) {
      const std::size_t slot = b * dist::kBatch + first;
      const StiffnessLanes lanes =
          stiffness_of(block, first, laws.of(&elements.material_of[slot]), laws.any_resists(), nodes.data());
      for (int l = 0; l < kLanes; ++l) {
        strains.norm[slot + l] = static_cast<float>(lanes.strain[l]);
        strains.stiffening[slot + l] = static_cast<float>(lanes.stiffening[l]);
        if (block.volume[first + l] != 0) add_to_corners(block, first + l, lanes.stiffness[l], stiffness.data());
      }
    }
  }
}

void measure_of(const ElementSpans& elements, std::span<const material::Material> materials,
                std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen, const Strains& strains,
                std::span<double> stiffness) {
  const LawTable laws(materials);
  for_each_batch(elements, chosen, [&](const ChosenBatch& batch, int first, std::size_t position, int count) {
    const StiffnessLanes lanes =
        stiffness_of(batch.block, first, laws.of(batch.material_of + first), laws.any_resists(), nodes.data());
    for (int l = 0; l < count; ++l) {
      strains.norm[chosen[position + l]] = static_cast<float>(lanes.strain[l]);
      strains.stiffening[chosen[position + l]] = static_cast<float>(lanes.stiffening[l]);
      if (batch.block.volume[first + l] != 0)
        add_to_corners(batch.block, first + l, lanes.stiffness[l], stiffness.data());
    }
  });
}

CriticalStep shortest(const ElementSpans& elements, std::span<const material::Material> materials,
                      const Strains& strains, std::span<const double> added_stiffness, std::span<double> steps) {
  const LawTable laws(materials);
  CriticalStep shortest;
  for (std::size_t b = 0; b < elements.blocks.size(); ++b) {
    prefetch_ahead(elements.blocks, b);
    prefetch_nodes_ahead(elements.blocks, b, added_stiffness.data());
    const dist::ElementBlock& block = elements.blocks[b];
    for (int first = 0; first < dist::kBatch; first += kLanes) {
      const std::size_t slot = b * dist::kBatch + first;
      StrainLanes strain;
      for (int l = 0; l < kLanes; ++l) strain.take(strains, slot + l, l);
      const StepLanes lanes =
          steps_of(block, first, laws.of(&elements.material_of[slot]), strain, added_stiffness.data());
      std::copy_n(lanes.step, kLanes, &steps[slot]);
      for (int l = 0; l < kLanes; ++l)
        if (block.volume[first + l] != 0)
          take_note(lanes.step[l], strain.norm[l], static_cast<std::int32_t>(slot + l), shortest);
    }
  }
  return shortest;
}

CriticalStep shortest_of(const ElementSpans& elements, std::span<const material::Material> materials,
                         std::span<const std::int32_t> chosen, const Strains& strains,
                         std::span<const double> added_stiffness, std::span<double> steps) {
  const LawTable laws(materials);
  CriticalStep shortest;
  for_each_batch(elements, chosen, [&](const ChosenBatch& batch, int first, std::size_t position, int count) {
    StrainLanes strain;
    for (int l = 0; l < count; ++l) strain.take(strains, chosen[position + l], l);
    const StepLanes lanes =
        steps_of(batch.block, first, laws.of(batch.material_of + first), strain, added_stiffness.data());
    for (int l = 0; l < count; ++l) {
      steps[chosen[position + l]] = lanes.step[l];
      take_note(lanes.step[l], strain.norm[l], chosen[position + l], shortest);
    }
  });
  return shortest;
}

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace brisance::dynamics {

HWY_EXPORT(measure);
HWY_EXPORT(measure_of);
HWY_EXPORT(shortest);
HWY_EXPORT(shortest_of);

void strains_and_stiffness(const ElementSpans& elements, std::span<const material::Material> materials,
                           std::span<const dist::NodeMotion> nodes, const Strains& strains,
                           std::span<double> stiffness) {
  assert(strains.norm.size() == elements.material_of.size() && stiffness.size() == nodes.size());
  std::fill(stiffness.begin(), stiffness.end(), 0);
  HWY_DYNAMIC_DISPATCH(measure)(elements, materials, nodes, strains, stiffness);
}

void strains_and_stiffness_of(const ElementSpans& elements, std::span<const material::Material> materials,
                              std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                              const Strains& strains, std::span<double> stiffness) {
  assert(std::is_sorted(chosen.begin(), chosen.end()));
  for (const std::int32_t slot : chosen)
    for (const auto& corner : elements.blocks[slot / dist::kBatch].corner) stiffness[corner[slot % dist::kBatch]] = 0;
  HWY_DYNAMIC_DISPATCH(measure_of)(elements, materials, nodes, chosen, strains, stiffness);
}

CriticalStep critical_step(const ElementSpans& elements, std::span<const material::Material> materials,
                           const Strains& strains, std::span<const double> added_stiffness, std::span<double> steps) {
  return HWY_DYNAMIC_DISPATCH(shortest)(elements, materials, strains, added_stiffness, steps);
}

CriticalStep critical_step_of(const ElementSpans& elements, std::span<const material::Material> materials,
                              std::span<const std::int32_t> chosen, const Strains& strains,
                              std::span<const double> added_stiffness, std::span<double> steps) {
  return HWY_DYNAMIC_DISPATCH(shortest_of)(elements, materials, chosen, strains, added_stiffness, steps);
}

}  // namespace brisance::dynamics
#endif
