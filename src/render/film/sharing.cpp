#include "sharing.hpp"

namespace brisance::render {

FramesOfRank frames_of_rank(std::size_t num_frames, int rank, int num_ranks) {
  FramesOfRank mine;
  const std::size_t ranks = static_cast<std::size_t>(num_ranks), me = static_cast<std::size_t>(rank);
  const std::size_t num_left = num_frames % ranks, first_left = num_frames - num_left;
  for (std::size_t frame = me; frame < first_left; frame += ranks) mine.whole.push_back(frame);
  if (num_left == 0) return mine;
  const std::size_t group = me * num_left / ranks;
  // Group g has the ranks r with g ≤ r n/R < g + 1.
  const auto begin_of = [&](std::size_t g) { return static_cast<int>((g * ranks + num_left - 1) / num_left); };
  const int writer = begin_of(group);
  mine.shared = SharedFrame{.frame = first_left + group,
                            .writer = writer,
                            .rows = {.first = rank - writer, .stride = begin_of(group + 1) - writer}};
  return mine;
}

}  // namespace brisance::render
