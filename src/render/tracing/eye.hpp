/// Solids that a point lies in.
#pragma once

#include "render/tracing/tracer.hpp"

#include <vector>

namespace brisance::render {

/// The solids around a point, ascending: those that rays in three directions leave before they enter. Only the
/// Crossings::kMost nearest surfaces of each ray are considered.
[[nodiscard]] std::vector<std::uint32_t> solids_around(const Tracer& tracer, const Vec3f& point);

}  // namespace brisance::render
