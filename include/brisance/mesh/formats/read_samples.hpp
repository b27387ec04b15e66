/// Numbers at points in space, from files of paint programs and spreadsheets.
#pragma once

#include "brisance/core/types.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::mesh {

struct Samples {
  std::vector<Vec3> points;    ///< [m]
  std::vector<double> values;  ///< one finite value for each point
};

/// Reads the values called `name`: a vertex property of a PLY file, a point array of a VTU file, or a column of a CSV
/// file with a header line that also names x, y and z.
/// Throws core::Error "FILE:LINE: what is wrong. What to do." ("FILE, byte N:" in binary data). Local.
[[nodiscard]] Samples read_samples(const std::filesystem::path& file, const std::string& name);

}  // namespace brisance::mesh
