/// A connected part of a body as a separate body.
#pragma once

#include "brisance/modes/body/merged_graph.hpp"
#include "brisance/modes/search/find_modes.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// Cells that must stay joined are merged.
struct BodyPart {
  std::vector<std::int32_t> cells;  ///< numbers in the whole body, ascending
  Simplices mesh;
  std::vector<SymMat3> conductivity;  ///< for its cells, see start_vectors
  CellGraph cell_graph;
  MergedGraph merged;
};

/// @param part_of       connected_parts of the body's graph
/// @param conductivity  cell_conductivity of the body, where start vectors are wanted
[[nodiscard]] BodyPart body_part(const Body& body, const std::vector<std::int32_t>& part_of, std::int32_t part,
                                 std::span<const SymMat3> conductivity = {});

/// Converts a mode of a part's merged cells to one of the whole, and back.
[[nodiscard]] Mode on_body(const BodyPart& part, Mode mode, std::size_t num_cells);
[[nodiscard]] Mode on_part(const BodyPart& part, const Mode& mode);

}  // namespace brisance::modes
