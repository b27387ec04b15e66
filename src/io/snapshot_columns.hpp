/// What the ranks write together: the datasets of a snapshot that are spread over the parts, as a list of columns.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/snapshot.hpp"

#include "io/column.hpp"

#include <deque>
#include <string>
#include <vector>

namespace brisance::io {

/// The columns of a frame. The list (names, types, totals) is the same on all ranks, only shares and data differ. Keeps
/// pointers into `part` and into itself: neither may move or change while the columns are in use.
class FrameColumns {
public:
  /// Collective; throws core::Error on all ranks if only some ranks have plastic strain, or groups.
  FrameColumns(const core::Comm& comm, const SnapshotPart& part);
  FrameColumns(const FrameColumns&) = delete;
  FrameColumns& operator=(const FrameColumns&) = delete;

  [[nodiscard]] const std::vector<Column>& all() const { return columns_; }

private:
  void add_state(const char* group, const Share& rows, const std::vector<StateColumn>& state);

  std::int64_t num_nodes_;
  std::int64_t num_tets_;
  std::int64_t num_connectivity_;
  std::int64_t num_triangles_;
  std::vector<std::int64_t> offsets_;    ///< VTK: where each tet's corners begin, and the end
  std::vector<std::uint8_t> types_;      ///< VTK: kind of each cell
  std::deque<std::string> state_names_;  ///< paths in the file that columns point to
  std::vector<Column> columns_;
};

}  // namespace brisance::io
