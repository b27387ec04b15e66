/// A body distributed over the ranks; no rank holds all of it.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/la/row_forest.hpp"
#include "brisance/modes/body/body.hpp"
#include "brisance/modes/body/simplices.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// Each rank owns some cells of the body, and has copies of all others that touch a node of these. So quantities at a
/// node of an own cell that depend on the cells around it can be computed locally.
///
/// `local` is in the order of the whole body: results computed face by face or cell by cell have the same bits as if
/// computed from the whole. There are two numberings: the body's (that of its file), and one for linear systems in
/// which each rank's own cells and nodes follow those of the rank before.
struct DividedBody {
  core::Comm comm;
  Body local;                                 ///< own cells and copies; only the faces of own cells are complete
  std::vector<std::int32_t> region;           ///< of local cells
  std::int64_t num_cells = 0, num_faces = 0;  ///< of the whole body

  std::vector<std::int32_t> cell_id, node_id;  ///< the body's numbers of local cells and nodes, ascending
  std::vector<std::int32_t> own_cells;         ///< local numbers, ascending
  std::vector<std::int32_t> own_faces;  ///< local numbers, ascending: faces whose cell `a` is own. Each has one owner
  std::vector<std::int32_t> own_nodes;  ///< local numbers, ascending. Each node has one owner
  std::vector<PetscInt> cell_number, node_number;  ///< in linear systems, of local cells and nodes

  la::RowForest cells;       ///< from own cells to local ones
  la::RowForest nodes;       ///< from own nodes to local ones
  la::RowForest faces;       ///< from own faces to local ones
  la::RowForest cell_block;  ///< from the body's cells in blocks (core/blocks.hpp) to own cells
  la::RowForest node_block;  ///< from the body's nodes in blocks to own nodes
  la::RowForest face_block;  ///< from the body's faces, by cells, in blocks to own faces

  /// Selects the values of own entities from those of local ones.
  template <class T>
  [[nodiscard]] static std::vector<T> pick(const std::vector<T>& local, const std::vector<std::int32_t>& own) {
    std::vector<T> values;
    values.reserve(own.size());
    for (const std::int32_t i : own) values.push_back(local[i]);
    return values;
  }
};

/// Partitions a body along a Hilbert curve through its cells, with equal numbers for all ranks. Weights and the like of
/// `local` are left empty.
/// @param block   this rank's block (core/blocks.hpp) of the nodes, and of the cells with the body's node numbers
/// @param region  of the cells in the block; empty on all ranks means all 0
/// Collective. Throws core::Error (on all ranks) if three cells share a face.
[[nodiscard]] DividedBody divide(const core::Comm& comm, const Simplices& block, std::span<const std::int32_t> region);

/// Scatters a mesh of rank 0 in blocks to all ranks; it may be freed afterwards. Collective.
[[nodiscard]] Simplices scatter_blocks(const core::Comm& comm, const Simplices& whole);

/// The part of each local cell: cells joined through faces for which `joins` is not 0, parts named by the lowest of
/// their cell_numbers.
/// @param joins  one for each face of `local`
/// Collective.
[[nodiscard]] std::vector<PetscInt> joined_cells(const DividedBody& body, std::span<const std::uint8_t> joins);

/// Number of connected parts. Collective.
[[nodiscard]] std::int64_t count_parts(const DividedBody& body);

}  // namespace brisance::modes
