/// What the ranks write together: the datasets of a snapshot that are spread over the parts, as a list of columns.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/snapshot.hpp"

#include "io/hdf5_handles.hpp"
#include "io/snapshot_layout.hpp"

#include <vector>

namespace brisance::io {

/// This rank's rows of a dataset: `count` of `total`, from row `offset` on.
struct Share {
  hsize_t total = 0;
  hsize_t offset = 0;
  hsize_t count = 0;
};

/// One dataset; `data` points to this rank's rows.
struct Column {
  const char* name;
  hid_t file_type;
  hid_t memory_type;
  hsize_t width;
  Share share;
  const void* data;

  [[nodiscard]] int rank() const { return width == 1 ? 1 : 2; }
};

template <class Row>
[[nodiscard]] Column column(const char* name, const Share& share, const Row* data) {
  using Number = typename RowLayout<Row>::Scalar;
  return {name, file_type<Number>(), memory_type<Number>(), RowLayout<Row>::width, share, data};
}
template <class Row>
[[nodiscard]] Column column(const char* name, const Share& share, const std::vector<Row>& data) {
  return column(name, share, data.data());
}

/// The columns of a frame. The list (names, types, totals) is the same on all ranks, only shares and data differ. Keeps
/// pointers into `part` and into itself: neither may move or change while the columns are in use.
class FrameColumns {
public:
  /// Collective; throws core::Error on all ranks if only some ranks have plastic strain.
  FrameColumns(const core::Comm& comm, const SnapshotPart& part);
  FrameColumns(const FrameColumns&) = delete;
  FrameColumns& operator=(const FrameColumns&) = delete;

  [[nodiscard]] const std::vector<Column>& all() const { return columns_; }
  [[nodiscard]] std::uint64_t total_bytes() const;

private:
  std::int64_t num_nodes_;
  std::int64_t num_tets_;
  std::int64_t num_connectivity_;
  std::int64_t num_triangles_;
  std::vector<std::int64_t> offsets_;  ///< VTK: where each tet's corners begin, and the end
  std::vector<std::uint8_t> types_;    ///< VTK: kind of each cell
  std::vector<Column> columns_;
};

}  // namespace brisance::io
