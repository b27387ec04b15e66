/// A mesh at rest as a snapshot, so that every tool that reads runs reads it too.
#pragma once

#include "brisance/io/snapshot.hpp"
#include "brisance/mesh/tet_mesh.hpp"

namespace brisance::app {

/// Nodes and tets get their indices as global ids; pieces are what hangs together through nodes. Sets
/// header.num_pieces. Local.
[[nodiscard]] io::SnapshotPart snapshot_of_mesh(const mesh::TetMesh& mesh, io::SnapshotHeader& header);

}  // namespace brisance::app
