/// Solids of one file that touch each other: each may be a body, but tets cannot tell them apart in one surface.
#pragma once

#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/surface/check.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace brisance::mesh {

/// What pairs of parts have in common, and where the first of them do.
struct TouchingParts {
  std::int64_t num_pairs = 0;  ///< 0 if no parts touch
  std::string one, other;      ///< names of the first pair: those of the file, or their numbers in it
  std::string what;            ///< "a face", "an edge" or "a vertex"
  Vec3 place = Vec3::Zero();   ///< a point of it [m]
};

/// Looks for closed parts that touch. Where more than two triangles meet in an edge, those are one part that have
/// matter between them. Parts that cross each other, or are open somewhere, are not looked for: there are none then.
/// @param as_read  before it was cleaned, since that takes away one of two equal faces
/// Local; does not throw.
[[nodiscard]] TouchingParts find_touching_parts(Surface as_read);

/// Says so, and what to do; empty if no parts touch.
[[nodiscard]] std::string sentence_on(const TouchingParts& parts);

/// As require_meshable, which it calls; where parts touch the message says so.
void require_solid(const SurfaceReport& report, const TouchingParts& parts, const std::filesystem::path& file);

}  // namespace brisance::mesh
