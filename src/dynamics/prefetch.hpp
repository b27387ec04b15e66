/// Prefetches of a pass over all blocks. Blocks are read once, in order, and 13 lines each: more than hardware
/// prefetchers keep up with. Nodes of neighbouring elements are close together in a mesh as it was made, but elements
/// that cuts have made are in the order of the cuts, and their nodes anywhere.
#include "brisance/dist/element_block.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#if defined(BRISANCE_DYNAMICS_PREFETCH) == defined(HWY_TARGET_TOGGLE)
#ifdef BRISANCE_DYNAMICS_PREFETCH
#undef BRISANCE_DYNAMICS_PREFETCH
#else
#define BRISANCE_DYNAMICS_PREFETCH
#endif

HWY_BEFORE_NAMESPACE();
namespace brisance::dynamics::HWY_NAMESPACE {

/// Blocks ahead: nearly doubles the speed of the force pass; 4 to 16 do equally well.
inline constexpr std::size_t kBlocksAhead = 8;
/// Blocks ahead for nodes: fewer, since their corners must be loaded already. The force pass of a mesh of 0.9 million
/// tets, half of them made by cuts, takes 24 instead of 54 ms; 1 to 4 do equally well.
inline constexpr std::size_t kNodesAhead = 2;
/// Distance of slots below which nodes are in a near cache anyway; their prefetch would take a fourteenth of a pass.
inline constexpr std::int32_t kNear = 4096;

template <class Block>
HWY_INLINE void prefetch_ahead(std::span<Block> blocks, std::size_t b) {
  const auto* line = reinterpret_cast<const std::byte*>(&blocks[std::min(b + kBlocksAhead, blocks.size() - 1)]);
  for (std::size_t at = 0; at < sizeof(Block); at += 64) hwy::Prefetch(line + at);
}

/// Prefetches the corners' entries of these arrays. A function of its own, since it would take registers from the loop
/// over blocks; the empty assembly keeps the compiler from removing a call without effects.
template <class... OfNodes>
HWY_NOINLINE void prefetch_nodes(const dist::ElementBlock& block, const OfNodes*... arrays) {
  for (const auto& corner : block.corner)
    for (const std::int32_t n : corner) (hwy::Prefetch(arrays + n), ...);
  asm volatile("");
}

/// The same, if the corners are far from each other, which is judged from some of them.
template <class... OfNodes>
HWY_INLINE void prefetch_nodes_ahead(std::span<const dist::ElementBlock> blocks, std::size_t b,
                                     const OfNodes*... arrays) {
  const dist::ElementBlock& block = blocks[std::min(b + kNodesAhead, blocks.size() - 1)];
  const auto [least, most] =
      std::minmax({block.corner[0][0], block.corner[1][2], block.corner[2][5], block.corner[3][7]});
  if (most - least >= kNear) prefetch_nodes(block, arrays...);
}

}  // namespace brisance::dynamics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
