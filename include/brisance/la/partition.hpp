/// Dividing a distributed graph into parts of equal weight.
#pragma once

#include "brisance/core/comm.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::la {

/// This rank's rows of a symmetric graph whose vertices are numbered rank by rank.
struct GraphPart {
  std::vector<std::int64_t> first;       ///< where a row's neighbours begin; one more than there are rows
  std::vector<std::int64_t> neighbours;  ///< global numbers, without the row itself
  std::vector<std::int64_t> weight;      ///< of each row, positive
};

/// As many parts as there are ranks, with about equal weights and few edges between them (PT-Scotch, by PETSc's
/// MatPartitioning), numbered so that most weight stays where it is. Returns the part of each row. Collective; throws
/// core::Error with PETSc's message.
[[nodiscard]] std::vector<std::int32_t> balanced_parts(const core::Comm& comm, const GraphPart& graph,
                                                       std::int64_t num_vertices);

}  // namespace brisance::la
