/// Converts a mesh to and from slabs in the order of global ids: the form of files, independent of ownership.
#pragma once

#include "brisance/dist/mesh.hpp"

namespace brisance::dist {

/// This rank's slab of the whole mesh: nodes and elements in ascending global id, each on one rank only, the ranks'
/// slabs following each other. The records name the present owners. Collective.
[[nodiscard]] Records slab_of(const Mesh& mesh);

/// Facts of a mesh that its slabs do not hold.
struct WholeMesh {
  std::vector<material::Material> materials;
  MeshFacts facts;
  bool cap_damping_ratio = true;
  FieldList fields;
};

/// Rebuilds the mesh from slabs of any lengths in ascending id; the run continues with the same bits. The owners in the
/// records are used where `owners_fit`, else the work is divided evenly. No rank holds more than four times its share
/// in between. Collective; throws core::Error on all ranks where a corner is missing.
[[nodiscard]] Mesh mesh_of_slabs(const core::Comm& comm, const WholeMesh& whole, Records slab, bool owners_fit);

}  // namespace brisance::dist
