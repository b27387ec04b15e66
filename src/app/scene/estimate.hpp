/// What a scene will cost, from the volumes of its shapes and the waves in its materials, before anything is meshed.
#pragma once

#include "brisance/material/material.hpp"
#include "brisance/mesh/request.hpp"

#include <cstdint>

namespace brisance::app {

struct MeshEstimate {
  std::int64_t tets = 0;
  double edge_m = 0;  ///< of the regular tets
};

/// Counts regular tets of the wanted edge (a³/(6√2) each), or takes the wanted count and finds their edge.
[[nodiscard]] MeshEstimate estimate_mesh(const mesh::Request& request, double volume_m3);

struct StepRange {
  double shortest_s = 0, longest_s = 0;
};

/// The worst element of a mesh sets the step, and how bad it will be is known only as a range: that of a regular tet
/// whose altitude is kWorstAltitude.shortest to .longest of the mesh's edge. Damping included
/// (dynamics/critical_step.hpp).
[[nodiscard]] StepRange stable_step_range(const material::Material& material, double edge_m);

/// Altitude of the worst element (of four equal ones with the same step) over the edge: the range met at 1,000 to
/// 15,000 tets. Shapes of default size gave 0.135 to 0.173; bowl, hollow ball and hollow cylinder with a wall of 6 mm
/// 0.056 to 0.169. Thin slabs and sheets were not measured.
inline constexpr struct { double shortest = 0.05, longest = 0.18; } kWorstAltitude;

inline constexpr double kBytesPerTet = 700;
/// Elements a core advances by one step in a second, used to turn steps into time.
inline constexpr double kTetStepsPerSecond = 1e7;

}  // namespace brisance::app
