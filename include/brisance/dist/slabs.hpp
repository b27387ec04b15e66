/// A mesh in the order of its global ids, and back: how files hold it, whoever owned what.
#pragma once

#include "brisance/dist/mesh.hpp"

namespace brisance::dist {

/// This rank's slab of the whole mesh: nodes and elements in ascending global id, each on one rank only, the ranks'
/// slabs following each other. Owners are those of now. Collective.
[[nodiscard]] Records slab_of(const Mesh& mesh);

/// What a mesh is beside its slabs.
struct WholeMesh {
  std::vector<material::Material> materials;
  MeshFacts facts;
  bool cap_damping_ratio = true;
  FieldList fields;
};

/// The mesh again, from slabs of any lengths in ascending id; it goes on with the same bits. The owners in the records
/// are taken where `owners_fit`, else the work is divided evenly. No rank holds more than four times its share on the
/// way. Collective; throws core::Error on all ranks where a corner is missing.
[[nodiscard]] Mesh mesh_of_slabs(const core::Comm& comm, const WholeMesh& whole, Records slab, bool owners_fit);

}  // namespace brisance::dist
