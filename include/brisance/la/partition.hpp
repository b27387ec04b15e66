/// Partitions a distributed graph into parts that are balanced in several weights at once.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::la {

/// This rank's rows of a symmetric graph whose vertices are numbered rank by rank.
struct GraphPart {
  std::vector<std::int64_t> first;       ///< index of each row's first neighbour; one more entry than rows
  std::vector<std::int64_t> neighbours;  ///< global numbers, without the row itself
  int num_weights = 1;                   ///< weights of each row: kinds of work
  std::vector<double> weights;           ///< [row][kind], in any unit, not negative
  std::vector<Vec3> place;               ///< of each row, finite, in any unit
};

/// Makes as many parts as there are ranks, each with about the same of every weight and few edges between them,
/// numbered so that most rows stay on their rank (METIS, several constraints; Karypis and Kumar 1998). Each rank
/// divides its own rows by place into clusters of about equal work; the graph of the clusters, some dozens for each
/// part, is all that one rank sees whole. Clusters that reach into each other count as neighbours, so that parts keep
/// together where cracks have cut the edges between rows. Returns the part of each row. Collective; throws core::Error
/// on all ranks.
[[nodiscard]] std::vector<std::int32_t> balanced_parts(const core::Comm& comm, const GraphPart& graph);

}  // namespace brisance::la
