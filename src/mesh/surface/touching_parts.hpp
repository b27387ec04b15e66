/// Solids of one file that touch each other: each may be a body, but in one surface tets cannot be separated there.
#pragma once

#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/surface/check.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace brisance::mesh {

/// Pairs of touching parts, and the place of the first.
struct TouchingParts {
  std::int64_t num_pairs = 0;  ///< 0 if no parts touch
  std::string one, other;      ///< names of the first pair: from the file, or their numbers in it
  std::string what;            ///< "a face", "an edge" or "a vertex"
  Vec3 place = Vec3::Zero();   ///< a point of the common place [m]
};

/// Detects closed parts that touch. Where more than two triangles meet in an edge, those with material between them
/// form one part. Returns none if some parts cross each other or are open.
/// @param as_read  before it was cleaned, since that removes one of two equal faces
/// Local; does not throw.
[[nodiscard]] TouchingParts find_touching_parts(Surface as_read);

/// A sentence about the touching parts with advice; empty if no parts touch.
[[nodiscard]] std::string sentence_on(const TouchingParts& parts);

/// Calls require_meshable; where parts touch its message says so.
void require_solid(const SurfaceReport& report, const TouchingParts& parts, const std::filesystem::path& file);

}  // namespace brisance::mesh
