/// One look at a deformed mesh, without a step: forces, stresses, and where it would break.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/dist/mesh_share.hpp"
#include "brisance/io/grid.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brisance::sim {

/// What holds for the mesh as a whole: the same bits on any number of ranks.
struct Evaluation {
  std::int64_t num_nodes = 0, num_tets = 0;
  double mass_kg = 0;
  double elastic_energy_j = 0, kinetic_energy_j = 0, plastic_work_j = 0;
  double damping_power_w = 0;  ///< −Σ f^ν·v
  double critical_step_s = 0;  ///< longest stable step at the current strain, damping included, no safety factor
  std::int64_t limiting_element = -1;  ///< tet that sets it
  double largest_severity = 0;         ///< share of what a node bears by the scene's criterion; it fails above 1
  std::int64_t most_severe_node = -1;  ///< −1 where nothing can break
  std::int64_t num_failing_nodes = 0;  ///< severity above 1
  std::int64_t num_inverted_tets = 0;  ///< det F ≤ 0 now
  std::int64_t lowest_inverted_tet = -1;
};

/// Evaluates a mesh of which every rank holds a share at its displacement and velocity, as the first step of a run
/// would see it: materials that flow first do so. Ids are the numbers in the whole. All tets of one region are made of
/// the scene's first object's material; with several regions, region r is made of the scene's material r (from 0);
/// parts and factors of the scene count, and so do regions by place, whose nodes do not fail where they are constrained
/// along all axes; places are those of the mesh in either frame. Severity is that of fracture::Criterion, as a run has
/// it: [fracture] of the scene counts, but for `enabled`. Placement, colliders, loads and gravity of the scene play no
/// part.
///
/// `fields` gets, by point: displacement [m], velocity [m/s], force (internal, viscous share included) and
/// viscous_force [N], mass [kg], separation_tensor (xx yy zz xy yz zx) and separation, its largest eigenvalue [N],
/// separation_normal, severity; by tet: stress (physical Cauchy, xx yy zz xy yz zx) [Pa], green_strain (FᵀF − I,
/// unhalved, same order), volume (at rest) [m³]. Collective; throws core::Error on all ranks for an inverted rest shape
/// or a region without material, core::BadInput where numbers overflow.
[[nodiscard]] Evaluation evaluate(const core::Comm& comm, const Scene& scene, dist::MeshShare share,
                                  io::GridPart& fields);

}  // namespace brisance::sim
