/// Which of the scene's materials each tet of an object is made of.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/sim/parameters.hpp"

#include "part_selection.hpp"

#include <cstdint>
#include <vector>

namespace brisance::sim {

/// How many tets each [[part]] of the scene has picked, of all objects so far, on all ranks.
using PartCounts = std::vector<std::int64_t>;

/// Turns the regions of an object's mesh, of which every rank may have some tets, into indices of the scene's
/// materials. A mesh of one region (or none) is of the object's material, whatever the region's number; of several,
/// region r is the scene's r-th material, from 0. Where a [[part]] concerns the object it goes by parts alone: what
/// several pick is of the last one's material, what none picks of the object's. Collective; throws core::BadInput on
/// all ranks if a material is missing, and where a part of this object alone picks no tet.
void assign_materials(const core::Comm& comm, const Scene& scene, const PlacedObject& placed, PartCounts& picked);

/// Throws core::BadInput for a part of all objects that picked no tet. Collective.
/// @param whole  all objects' tets of this rank
void require_parts(const core::Comm& comm, const Scene& scene, const mesh::TetMesh& whole, const PartCounts& picked);

}  // namespace brisance::sim
