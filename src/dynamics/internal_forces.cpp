// One pass over all held elements: a rank holds the whole star of each owned node, and so finds its whole force.
#include "brisance/dynamics/internal_forces.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

// foreach_target.h compiles this file again for each instruction set, so the kernels come after it.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dynamics/internal_forces.cpp"
#include <hwy/foreach_target.h>
#include "dynamics/chosen_batch.hpp"
#include "dynamics/prefetch.hpp"
#include "dynamics/separation_bound.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace brisance::dynamics::HWY_NAMESPACE {
namespace {

/// Treatment of plastic strain in a pass.
enum class Plastic : std::uint8_t { none, as_it_is, flows };

/// Laws of the materials of a pass.
enum class Laws : std::uint8_t { hooke, resisting, all };

/// Results of a pass beyond the force; each choice is compiled on its own, so that results which are not requested cost
/// nothing. The arithmetic of the force itself is the same source code in all of them, and so are its bits.
template <Plastic kPlastic, Laws kLaws, bool kViscousSplit, bool kSeparationBound>
struct ForcePass {
  const ElementSpans& elements;
  const LawTable& laws;
  bool one_material;
  const dist::NodeMotion* nodes;
  std::span<PlasticBlock> flowing;
  const ForceOptions& options;
  dist::NodeForce* forces;

  /// Time since the last flow of elements [first, first + kLanes) of block b [s].
  HWY_INLINE Lanes time_since_flow(std::size_t b, int first) const {
    if (options.step_class.empty()) return all(options.since_flow_s);
    HWY_ALIGN double since_s[kLanes];
    for (int l = 0; l < kLanes; ++l) {
      const std::size_t e =
          b * dist::kBatch + static_cast<std::size_t>(first + l);  // lanes may be left over at the end
      since_s[l] = std::ldexp(options.since_flow_s, e < options.step_class.size() ? -options.step_class[e] : 0);
    }
    return hn::Load(kTag, since_s);
  }

  /// Updates ε^p of elements [first, first + kLanes); elements that do not flow keep their bits.
  HWY_INLINE void flow(std::size_t b, int first, const Law& law, ElementLanes& e) const {
    PlasticBlock& block = flowing[b];
    const Symmetric old = load_plastic_strain(block, first);
    const PlasticStep step = plastic_step(e.strain, old, law);
    e.elastic_stress = without_plastic_part(e.elastic_stress, step.strain, law);
    if (none(step.flows)) return;
    Lanes work = step.work;
    if (options.since_flow_s > 0)
      work = work_by_mean_stress(step, strain_before(e, time_since_flow(b, first)), old, law);
    for (int k = 0; k < 6; ++k) hn::Store(step.strain.at[k], kTag, block.strain[k] + first);
    hn::Store(hn::Load(kTag, block.dissipated + first) + work, kTag, block.dissipated + first);
  }

  /// Processes elements [first, first + kLanes) of block b.
  HWY_INLINE void add(std::size_t b, int first) const {
    const dist::ElementBlock& block = elements.blocks[b];
    const Law law = one_material ? laws.uniform(0) : laws.of(&elements.material_of[b * dist::kBatch + first]);
    const PlasticBlock* plastic = kPlastic == Plastic::as_it_is ? &elements.plastic[b] : nullptr;
    const bool any_resists = kLaws == Laws::resisting || (kLaws == Laws::all && laws.any_resists());
    ElementLanes e = evaluate(block, plastic, first, law, any_resists, nodes);
    if constexpr (kLaws == Laws::all)
      if (Stiffness c; laws.stiffness(&elements.material_of[b * dist::kBatch + first], c)) take_directions(c, e);
    if constexpr (kPlastic == Plastic::flows) flow(b, first, law, e);
    const Symmetric stress = sum(e.elastic_stress, e.viscous_stress);

    CornerLanes corner[4];
    const FourForces total = forces_of(e, stress);
    for (int j = 0; j < 4; ++j) corner[j].force = total.at[j];
    if constexpr (kViscousSplit) {
      const FourForces share = forces_of_stress(e.deformation, e.viscous_stress, e.gradient, e.volume);
      for (int j = 0; j < 4; ++j) corner[j].viscous = share.at[j];
    }
    if constexpr (kSeparationBound) {
      const FourBounds bound = separation_bounds(e.strain, stress, e.gradient, e.volume, total);
      for (int j = 0; j < 4; ++j) corner[j].bound = bound.at[j];
    } else {
      for (int j = 0; j < 4; ++j) corner[j].bound = hn::Zero(kTag);
    }
    add_to_nodes<kViscousSplit>(corner, block, first, forces);
  }

  void run() const {
    for (std::size_t b = 0; b < elements.blocks.size(); ++b) {
      prefetch_ahead(elements.blocks, b);
      prefetch_nodes_ahead(elements.blocks, b, nodes, forces);
      if constexpr (kPlastic != Plastic::none) prefetch_ahead(elements.plastic, b);
      for (int first = 0; first < dist::kBatch; first += kLanes) add(b, first);
    }
  }
};

template <Plastic kPlastic, Laws kLaws>
void run_pass_with(const ElementSpans& elements, const LawTable& laws, bool one,
                   std::span<const dist::NodeMotion> nodes, std::span<PlasticBlock> flowing,
                   std::span<dist::NodeForce> forces, const ForceOptions& options) {
  if (options.viscous_split && options.separation_bound)
    ForcePass<kPlastic, kLaws, true, true>{elements, laws, one, nodes.data(), flowing, options, forces.data()}.run();
  else if (options.viscous_split)
    ForcePass<kPlastic, kLaws, true, false>{elements, laws, one, nodes.data(), flowing, options, forces.data()}.run();
  else if (options.separation_bound)
    ForcePass<kPlastic, kLaws, false, true>{elements, laws, one, nodes.data(), flowing, options, forces.data()}.run();
  else
    ForcePass<kPlastic, kLaws, false, false>{elements, laws, one, nodes.data(), flowing, options, forces.data()}.run();
}

template <Plastic kPlastic>
void run_pass(const ElementSpans& elements, const LawTable& laws, bool one, std::span<const dist::NodeMotion> nodes,
              std::span<PlasticBlock> flowing, std::span<dist::NodeForce> forces, const ForceOptions& options) {
  if (laws.any_anisotropic())
    run_pass_with<kPlastic, Laws::all>(elements, laws, one, nodes, flowing, forces, options);
  else if (laws.any_resists())
    run_pass_with<kPlastic, Laws::resisting>(elements, laws, one, nodes, flowing, forces, options);
  else
    run_pass_with<kPlastic, Laws::hooke>(elements, laws, one, nodes, flowing, forces, options);
}

}  // namespace

void add_forces(const ElementSpans& elements, std::span<const material::Material> materials,
                std::span<const dist::NodeMotion> nodes, std::span<dist::NodeForce> forces,
                const ForceOptions& options) {
  const LawTable laws(materials);
  const bool one = materials.size() == 1;
  if (elements.plastic.empty())
    run_pass<Plastic::none>(elements, laws, one, nodes, {}, forces, options);
  else
    run_pass<Plastic::as_it_is>(elements, laws, one, nodes, {}, forces, options);
}

void add_forces_of(const ElementSpans& elements, std::span<const material::Material> materials,
                   std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                   std::span<dist::NodeForce> forces, const ForceOptions& options) {
  const LawTable laws(materials);
  const bool one = materials.size() == 1;
  for (std::size_t begin = 0; begin < chosen.size(); begin += dist::kBatch) {
    const auto some = chosen.subspan(begin, std::min<std::size_t>(dist::kBatch, chosen.size() - begin));
    const PackedBatch batch(elements, some);
    ElementSpans few{{&batch.block, 1}, batch.material_of, {}};
    if (elements.plastic.empty()) {
      run_pass<Plastic::none>(few, laws, one, nodes, {}, forces, options);
    } else {
      few.plastic = {&batch.plastic, 1};
      run_pass<Plastic::as_it_is>(few, laws, one, nodes, {}, forces, options);
    }
  }
}

void flow_and_add_forces(const ElementSpans& elements, std::span<const material::Material> materials,
                         std::span<const dist::NodeMotion> nodes, std::span<PlasticBlock> plastic,
                         std::span<dist::NodeForce> forces, const ForceOptions& options) {
  run_pass<Plastic::flows>(elements, LawTable(materials), materials.size() == 1, nodes, plastic, forces, options);
}

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace brisance::dynamics {

HWY_EXPORT(add_forces);
HWY_EXPORT(add_forces_of);
HWY_EXPORT(flow_and_add_forces);

void internal_forces(const ElementSpans& elements, std::span<const material::Material> materials,
                     std::span<const dist::NodeMotion> nodes, std::span<dist::NodeForce> forces,
                     const ForceOptions& options) {
  assert(forces.size() == nodes.size());
  std::fill(forces.begin(), forces.end(), dist::NodeForce{});
  add_internal_forces(elements, materials, nodes, forces, options);
}

void add_internal_forces(const ElementSpans& elements, std::span<const material::Material> materials,
                         std::span<const dist::NodeMotion> nodes, std::span<dist::NodeForce> forces,
                         const ForceOptions& options) {
  assert(elements.plastic.empty() || elements.plastic.size() == elements.blocks.size());
  HWY_DYNAMIC_DISPATCH(add_forces)(elements, materials, nodes, forces, options);
}

void internal_forces_of(const ElementSpans& elements, std::span<const material::Material> materials,
                        std::span<const dist::NodeMotion> nodes, std::span<const std::int32_t> chosen,
                        std::span<dist::NodeForce> forces, const ForceOptions& options) {
  assert(forces.size() == nodes.size() && std::is_sorted(chosen.begin(), chosen.end()));
  for (const std::int32_t slot : chosen)
    for (const auto& corner : elements.blocks[slot / dist::kBatch].corner)
      forces[corner[slot % dist::kBatch]] = dist::NodeForce{};
  HWY_DYNAMIC_DISPATCH(add_forces_of)(elements, materials, nodes, chosen, forces, options);
}

void flow_and_internal_forces(const ElementSpans& elements, std::span<const material::Material> materials,
                              std::span<const dist::NodeMotion> nodes, std::span<PlasticBlock> plastic,
                              std::span<dist::NodeForce> forces, const ForceOptions& options) {
  std::fill(forces.begin(), forces.end(), dist::NodeForce{});
  flow_and_add_internal_forces(elements, materials, nodes, plastic, forces, options);
}

void flow_and_add_internal_forces(const ElementSpans& elements, std::span<const material::Material> materials,
                                  std::span<const dist::NodeMotion> nodes, std::span<PlasticBlock> plastic,
                                  std::span<dist::NodeForce> forces, const ForceOptions& options) {
  assert(plastic.data() == elements.plastic.data() && plastic.size() == elements.plastic.size());
  if (plastic.empty()) return add_internal_forces(elements, materials, nodes, forces, options);
  HWY_DYNAMIC_DISPATCH(flow_and_add_forces)(elements, materials, nodes, plastic, forces, options);
}

}  // namespace brisance::dynamics
#endif
