/// Writes a distributed tet mesh with fields as one VTU file, in the order of the global ids.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace brisance::io {

/// A named field: `components` numbers for each point (or cell) of the part, entity by entity.
struct GridArray {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

/// One rank's share. Over all ranks the ids are 0 … n−1, each exactly once; within a part they ascend. Every rank names
/// the same arrays in the same order. A part may be empty.
struct GridPart {
  std::vector<std::int64_t> point_id, cell_id;
  std::vector<Vec3> points;                       ///< [m]
  std::vector<std::array<std::int64_t, 4>> tets;  ///< corners as point ids, on any rank
  std::vector<GridArray> point_arrays, cell_arrays;
};

/// Writes raw appended binary in this machine's byte order. Every rank writes its own rows in place (MPI-IO), so no
/// rank holds another's. The file appears under its name only when complete; a failure on any rank throws core::Error
/// on all and keeps the former file. Collective.
void write_grid(const core::Comm& comm, const std::filesystem::path& file, const GridPart& part);

}  // namespace brisance::io
