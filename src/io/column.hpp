/// A dataset that the ranks write together, and this rank's rows of it.
#pragma once

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

}  // namespace brisance::io
