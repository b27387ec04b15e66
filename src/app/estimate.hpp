/// What a scene will cost, from the volumes of its shapes and the waves in its materials, before anything is meshed.
#pragma once

#include "brisance/material/material.hpp"
#include "brisance/mesh/request.hpp"

#include <cstdint>

namespace brisance::app {

struct MeshEstimate {
  std::int64_t tets = 0;
  double smallest_altitude_m = 0;
};

/// Counts regular tets of the wanted edge (a³/(6√2) each) or takes the wanted count; the smallest altitude of such a
/// mesh is taken as 0.35 of its edge.
[[nodiscard]] MeshEstimate estimate_mesh(const mesh::Request& request, double volume_m3);

/// Stable step for elements of four equal altitudes, damping included (dynamics/critical_step.hpp) [s].
[[nodiscard]] double stable_step_s(const material::Material& material, double altitude_m);

inline constexpr double kBytesPerTet = 700;
/// Elements a core advances by one step in a second, used to turn steps into time.
inline constexpr double kTetStepsPerSecond = 1e7;

}  // namespace brisance::app
