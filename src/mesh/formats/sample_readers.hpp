/// One reader for each format that holds a number at points; `read_samples` chooses. Each throws core::Error.
#pragma once

#include "brisance/mesh/formats/read_samples.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace brisance::mesh {

/// PLY 1.0: a scalar property of the element vertex.
[[nodiscard]] Samples read_ply_samples(const std::filesystem::path& file, std::string_view bytes,
                                       const std::string& name);
/// VTU: a point array of one component, in every piece.
[[nodiscard]] Samples read_vtu_samples(const std::filesystem::path& file, std::string_view bytes,
                                       const std::string& name);

}  // namespace brisance::mesh
