/// The datasets of a snapshot that all ranks write together, as a list of columns.
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
  FrameColumns(const core::Comm& comm, const FrameForm& form, const SnapshotPart& part);
  FrameColumns(const FrameColumns&) = delete;
  FrameColumns& operator=(const FrameColumns&) = delete;

  [[nodiscard]] const std::vector<Column>& all() const { return columns_; }

private:
  void add_state(const char* group, const Share& rows, const std::vector<StateColumn>& state);
  void add_dust(const Share& rows, const DustRows& dust);
  /// A column of reals, rounded if the frame is of single precision.
  void add_reals(const char* name, hsize_t width, const Share& rows, const double* values);
  template <class Row>
  void add_field(const char* name, const Share& rows, const std::vector<Row>& values);

  FrameForm form_;
  std::int64_t num_nodes_;
  std::int64_t num_cells_;  ///< tets, or triangles of a frame that has no tets
  std::int64_t num_connectivity_;
  std::int64_t num_triangles_;
  std::vector<std::int64_t> offsets_;       ///< VTK: position of each cell's corners, and the end
  std::vector<std::uint8_t> types_;         ///< VTK: kind of each cell
  std::deque<std::string> state_names_;     ///< storage of the paths to which columns point
  std::deque<std::vector<float>> rounded_;  ///< storage of the values to which columns point
  std::vector<Column> columns_;
};

}  // namespace brisance::io
