// One pass over all held elements: whole star here, so an owned node's whole force is here.
#include "brisance/dynamics/internal_forces.hpp"

#include "element_kernel.hpp"
#include "plastic_flow.hpp"
#include "separation_bound.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include <hwy/cache_control.h>

namespace brisance::dynamics {
namespace {

/// Blocks are read once, in order, and 13 lines each: more than hardware prefetchers keep up with. Asking this far
/// ahead nearly doubles the speed of the pass; 4 to 16 do equally well.
constexpr std::size_t kBlocksAhead = 8;

template <class Block>
HWY_INLINE void prefetch_ahead(std::span<Block> blocks, std::size_t b) {
  const auto* line = reinterpret_cast<const std::byte*>(&blocks[std::min(b + kBlocksAhead, blocks.size() - 1)]);
  for (std::size_t at = 0; at < sizeof(Block); at += 64) hwy::Prefetch(line + at);
}

/// What a pass computes beyond the force; each choice is compiled on its own, so what is not wanted costs nothing. The
/// arithmetic of the force itself is the same text in all of them, and so are its bits.
template <bool kPlasticFlow, bool kViscousSplit, bool kSeparationBound, bool kOneMaterial>
struct ForcePass {
  const ElementSpans& elements;
  const LawTable& laws;
  const dist::NodeMotion* nodes;
  dist::NodeForce* forces;

  /// Elements [first, first + kLanes) of block b.
  HWY_INLINE void add(std::size_t b, int first) const {
    const dist::ElementBlock& block = elements.blocks[b];
    const LawLanes law = kOneMaterial ? laws.uniform(0) : laws.of(&elements.material_of[b * dist::kBatch + first]);
    const EdgeLanes edges = load_edges(block, first, nodes);
    const MatrixLanes gradient = load_gradients(block, first);
    const Lanes volume = hn::Load(kTag, block.volume + first);

    const MatrixLanes f = deformation_gradient(edges.position, gradient);
    const SymmetricLanes strain = green_strain(f);
    SymmetricLanes elastic = isotropic_stress(strain, law.lambda, law.two_mu);
    if constexpr (kPlasticFlow)
      elastic = without_plastic_part(elastic, flow(strain, law, elements.plastic[b], first), law);
    const ViscousLanes viscous = viscous_state(f, edges, gradient, law, hn::Load(kTag, block.damping_scale + first));
    const SymmetricLanes stress = sum(elastic, viscous.stress);

    CornerLanes corner[4];
    const FourForces total = forces_of_stress(f, stress, gradient, volume);
    for (int j = 0; j < 4; ++j) corner[j].force = total.at[j];
    if constexpr (kViscousSplit) {
      const FourForces share = forces_of_stress(f, viscous.stress, gradient, volume);
      for (int j = 0; j < 4; ++j) corner[j].viscous = share.at[j];
    }
    if constexpr (kSeparationBound) {
      const FourBounds bound = separation_bounds(strain, stress, gradient, volume, total);
      for (int j = 0; j < 4; ++j) corner[j].bound = bound.at[j];
    } else {
      for (int j = 0; j < 4; ++j) corner[j].bound = hn::Zero(kTag);
    }
    add_to_nodes<kViscousSplit>(corner, block, first, forces);
  }

  void run() const {
    for (std::size_t b = 0; b < elements.blocks.size(); ++b) {
      prefetch_ahead(elements.blocks, b);
      if constexpr (kPlasticFlow) prefetch_ahead(elements.plastic, b);
      for (int first = 0; first < dist::kBatch; first += kLanes) add(b, first);
    }
  }
};

/// Turns run-time choices into template arguments, one at a time.
template <bool... kChosen, class Work, class... Rest>
void with_choices(const Work& work, Rest... rest) {
  if constexpr (sizeof...(rest) == 0)
    work.template operator()<kChosen...>();
  else
    [&](bool next, auto... others) {
      if (next)
        with_choices<kChosen..., true>(work, others...);
      else
        with_choices<kChosen..., false>(work, others...);
    }(rest...);
}

}  // namespace

void internal_forces(const ElementSpans& elements, std::span<const material::Material> materials,
                     std::span<const dist::NodeMotion> nodes, std::span<dist::NodeForce> forces,
                     const ForceOptions& options) {
  assert(forces.size() == nodes.size());
  assert(elements.plastic.empty() || elements.plastic.size() == elements.blocks.size());
  std::fill(forces.begin(), forces.end(), dist::NodeForce{});
  const LawTable laws(materials);
  with_choices(
      [&]<bool... kChosen>() {
        ForcePass<kChosen...>{elements, laws, nodes.data(), forces.data()}.run();
      },
      !elements.plastic.empty(), options.viscous_split, options.separation_bound, materials.size() == 1);
}

}  // namespace brisance::dynamics
