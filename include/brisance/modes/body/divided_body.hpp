/// A body divided over the ranks. No rank has all of it.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/la/row_forest.hpp"
#include "brisance/modes/body/body.hpp"
#include "brisance/modes/body/simplices.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// Each rank has some cells of the body as its own, and copies of all others that touch a node of these. So what is
/// known about a node of an own cell from the cells around it is known here.
///
/// `local` is in the order of the whole body: what is computed from it face by face or cell by cell has the same bits
/// as if it had been computed from the whole. Two numberings are used: the body's (that of its file), and one for
/// linear systems in which each rank's own cells and nodes follow those of the rank before.
struct DividedBody {
  core::Comm comm;
  Body local;                        ///< own cells and copies; of its faces only those of own cells are all there
  std::vector<std::int32_t> region;  ///< of local cells
  std::int64_t num_cells = 0, num_faces = 0;  ///< of the whole body

  std::vector<std::int32_t> cell_id, node_id;  ///< the body's numbers of local cells and nodes, ascending
  std::vector<std::int32_t> own_cells;         ///< local numbers, ascending
  std::vector<std::int32_t> own_faces;  ///< local numbers, ascending: faces whose cell `a` is own. Each has one owner
  std::vector<std::int32_t> own_nodes;  ///< local numbers, ascending. Each node of a cell has one owner
  std::vector<PetscInt> cell_number, node_number;  ///< in linear systems, of local cells and nodes

  la::RowForest cells;       ///< from own cells to local ones
  la::RowForest nodes;       ///< from own nodes to local ones
  la::RowForest faces;       ///< from own faces to local ones
  la::RowForest cell_block;  ///< from the body's cells in blocks (core/blocks.hpp) to own cells
  la::RowForest node_block;  ///< from the body's nodes in blocks to own nodes
  la::RowForest face_block;  ///< from the body's faces, by cells, in blocks to own faces

  /// The values of own things out of those of local ones.
  template <class T>
  [[nodiscard]] static std::vector<T> pick(const std::vector<T>& local, const std::vector<std::int32_t>& own) {
    std::vector<T> values;
    values.reserve(own.size());
    for (const std::int32_t i : own) values.push_back(local[i]);
    return values;
  }
};

/// Divides a body along a Hilbert curve through its cells, equal numbers to all ranks. Weights and the like of `local`
/// are left empty.
/// @param block   this rank's block (core/blocks.hpp) of the nodes, and of the cells with the body's node numbers
/// @param region  of the cells in the block; empty on all ranks means all 0
/// Collective. Throws core::Error (on all ranks) if three cells share a face.
[[nodiscard]] DividedBody divide(const core::Comm& comm, const Simplices& block, std::span<const std::int32_t> region);

/// Every rank's block of a mesh that rank 0 has; it may be freed afterwards. Collective.
[[nodiscard]] Simplices scatter_blocks(const core::Comm& comm, const Simplices& whole);

/// The part of each local cell: cells joined by faces for which `joins` is not 0, parts named by the lowest of their
/// cell_numbers.
/// @param joins  one a face of `local`
/// Collective.
[[nodiscard]] std::vector<PetscInt> joined_cells(const DividedBody& body, std::span<const std::uint8_t> joins);

/// Number of parts that hang together. Collective.
[[nodiscard]] std::int64_t count_parts(const DividedBody& body);

}  // namespace brisance::modes
