/// The mesh of a VTKHDF file.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/array_file.hpp"
#include "brisance/modes/body/simplices.hpp"

#include <vector>

namespace brisance::breaking {

/// Values of rows of N, concatenated.
template <class To, class Row>
[[nodiscard]] std::vector<To> flat(const std::vector<Row>& rows) {
  std::vector<To> values;
  for (const Row& row : rows)
    for (const auto value : row) values.push_back(static_cast<To>(value));
  return values;
}

/// Writes nodes and cells (tets or triangles) as the unstructured grid of /VTKHDF, whose group must exist.
/// @param mesh  this rank's nodes and cells, concatenated in rank order; corners are nodes of the whole
/// Collective.
void write_vtk_mesh(const core::Comm& comm, io::ArrayFileWriter& file, const modes::Simplices& mesh);

}  // namespace brisance::breaking
