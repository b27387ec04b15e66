/// Factors on strength and stiffness of tets, and the graded materials that those on stiffness become.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/dist/mesh_share.hpp"
#include "brisance/sim/parameters.hpp"

#include "part_selection.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace brisance::sim {

/// Number of tets of this rank that each [[factor]] of the scene has applied to, in all objects so far.
using FactorCounts = std::vector<std::int64_t>;

/// Multiplies formulas, fields and paint into the factors of one object's tets, whose regions are materials. Paint is
/// read on ranks that have tets. Local; throws core::Error for a factor that is not positive and finite, or a stiffness
/// beyond 1/1000 … 1000, and as Paint.
/// @param report  gets lines for the log
void apply_factors(const Scene& scene, const PlacedObject& placed, FactorCounts& concerned,
                   std::vector<std::string>& report);

/// Multiplies Weibull factors into the strength of tets of all objects, keyed by their number in the whole mesh, which
/// becomes their id:
///   f = (−ln(1−u))^(1/m) (V₀/V)^(1/m), u uniform: the weakest of V/V₀ flaws
/// Local.
/// @param first_tet  index of each object's first tet in the share, ascending
void scatter_strength(const Scene& scene, std::span<const std::size_t> first_tet, dist::MeshShare& share,
                      FactorCounts& concerned);

/// Throws core::BadInput for a factor that applied to no tet of any rank. Collective.
void require_factors(const core::Comm& comm, const Scene& scene, const FactorCounts& concerned);

/// Turns factors on stiffness into graded regions, in steps of 2^(1/64), 1.1 %, the same on all ranks. Collective;
/// throws core::BadInput if there are more than a run's table can hold.
/// @param mesh  all objects' tets of this rank
void grade_regions(const core::Comm& comm, const Scene& scene, mesh::TetMesh& mesh);

}  // namespace brisance::sim
