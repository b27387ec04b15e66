/// Which of the scene's materials each tet of an object is made of.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/sim/parameters.hpp"

namespace brisance::sim {

/// Turns the regions of an object's mesh into indices of the scene's materials. A mesh of one region (or none) is of
/// the object's material, whatever the region's number; of several, region r is the scene's r-th material, from 0.
/// Where a [[part]] concerns the object it goes by groups alone, and all other tets are of the object's material.
/// Local; throws core::Error if a material is missing, with `name` as what the user calls the mesh.
void assign_materials(const Scene& scene, const ObjectParameters& object, const std::string& name, mesh::TetMesh& mesh);

}  // namespace brisance::sim
