/// What a scene says of groups that the objects' files name.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <span>

namespace brisance::sim {

/// Whether a [[part]] of the scene concerns the object.
[[nodiscard]] bool has_parts(const Scene& scene, const ObjectParameters& object);

/// Gives the tets of an object's parts, of which `region` has the material so far, theirs. Local; throws core::Error
/// where a part of this object alone has a group that no tet of it has.
void assign_parts(const Scene& scene, const ObjectParameters& object, mesh::TetMesh& mesh);

/// Sets the bits of regions that are groups. Local; throws core::Error if a region's group is nowhere in the mesh of
/// all objects.
/// @param regions  per node of the mesh
void add_group_regions(const Scene& scene, const mesh::TetMesh& whole, std::span<std::uint32_t> regions);

/// Throws core::Error if a part's group is nowhere in the mesh of all objects. Local.
void require_parts(const Scene& scene, const mesh::TetMesh& whole);

}  // namespace brisance::sim
