/// Evaluates a deformed mesh without taking a step: forces, stresses, and where it would break.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/dist/mesh_share.hpp"
#include "brisance/io/grid.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brisance::sim {

/// Values for the whole mesh: the same bits on any number of ranks.
struct Evaluation {
  std::int64_t num_nodes = 0, num_tets = 0;
  double mass_kg = 0;
  double elastic_energy_j = 0, kinetic_energy_j = 0, plastic_work_j = 0;
  double damping_power_w = 0;  ///< −Σ f^ν·v
  double critical_step_s = 0;  ///< longest stable step at the current strain, damping included, no safety factor
  std::int64_t limiting_element = -1;  ///< tet that determines it
  double largest_severity = 0;         ///< load over strength by the scene's criterion; a node fails above 1
  std::int64_t most_severe_node = -1;  ///< −1 where nothing can break
  std::int64_t num_failing_nodes = 0;  ///< severity above 1
  std::int64_t num_inverted_tets = 0;  ///< det F ≤ 0 now
  std::int64_t lowest_inverted_tet = -1;
};

/// Evaluates a mesh, of which every rank holds a share, at its displacement and velocity, as the first step of a run
/// would; plastic flow comes first. Ids are numbers in the whole mesh. If there is one region, all tets are made of the
/// material of the scene's first object; with several, region r is made of the scene's material r (from 0). Parts,
/// factors and regions by place of the scene apply, in the coordinates of the mesh for either frame; nodes constrained
/// along all axes do not fail. Severity is that of fracture::FailureSearch in a run with the scene's [fracture], except
/// `enabled`. Placement, colliders, loads and gravity of the scene are ignored.
///
/// Fills `fields`, by point: displacement [m], velocity [m/s], force (internal, viscous share included) and
/// viscous_force [N], mass [kg], separation_tensor (xx yy zz xy yz zx) and separation, its largest eigenvalue [N],
/// separation_normal, severity; by tet: stress (physical Cauchy, xx yy zz xy yz zx) [Pa], green_strain (FᵀF − I,
/// unhalved, same order), volume (at rest) [m³]. Collective; throws core::Error on all ranks for an inverted rest shape
/// or a region without material, core::BadInput where numbers overflow.
[[nodiscard]] Evaluation evaluate(const core::Comm& comm, const Scene& scene, dist::MeshShare share,
                                  io::GridPart& fields);

}  // namespace brisance::sim
