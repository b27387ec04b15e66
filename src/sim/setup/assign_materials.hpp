/// Assigns the scene's materials to the tets of an object.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/sim/parameters.hpp"

#include "part_selection.hpp"

#include <cstdint>
#include <vector>

namespace brisance::sim {

/// Number of tets that each [[part]] of the scene has selected in all objects so far, over all ranks.
using PartCounts = std::vector<std::int64_t>;

/// Turns the regions of an object's mesh, of which every rank may have some tets, into indices of the scene's
/// materials. A mesh of one region (or none) has the object's material, whatever the region's number; of several,
/// region r is the scene's r-th material, from 0. If a [[part]] applies to the object, parts alone decide: tets that
/// several parts select have the last one's material, other tets the object's. Collective; throws core::BadInput on all
/// ranks if a material is missing, or a part of this object alone selects no tet.
void assign_materials(const core::Comm& comm, const Scene& scene, const PlacedObject& placed, PartCounts& picked);

/// Throws core::BadInput for a part of all objects that selected no tet. Collective.
/// @param whole  all objects' tets of this rank
void require_parts(const core::Comm& comm, const Scene& scene, const mesh::TetMesh& whole, const PartCounts& picked);

}  // namespace brisance::sim
