/// Tet meshes in our own file format: a snapshot whose rest shape is the mesh.
#pragma once

#include "brisance/dist/mesh_share.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace brisance::sim {

/// Reads a mesh made by `brisance mesh`, or the rest shape, displacement and velocity of any snapshot; nodes in
/// ascending global id. Local, once MPI is initialised; throws core::Error if the file is not a snapshot or some of its
/// tets are inverted at rest.
[[nodiscard]] mesh::TetMesh read_mesh_file(const std::filesystem::path& file);

/// The same, every rank some of it: its tets and their corners, and its block of all nodes, whoever uses them. Numbers
/// are those of read_mesh_file, on any number of ranks. Nobody holds more than a share. Collective; throws
/// core::BadInput on all ranks.
[[nodiscard]] dist::MeshShare read_mesh_share(const core::Comm& comm, const std::filesystem::path& file);

/// Is it of our own format, by its name? Local.
[[nodiscard]] bool is_our_mesh_file(const std::filesystem::path& file);
/// Was it written by write_mesh_file, and is no frame of a run? False for what cannot be read. Local.
[[nodiscard]] bool is_mesh_without_run(const std::filesystem::path& file);
/// Throws core::Error where fields (mesh::read_tet_mesh) are wanted of a file of our own, which has none. Local.
void refuse_fields(const std::filesystem::path& file, std::span<const std::string> scalars);
/// Number of tets in a file that holds some; our own files need not be read for it. Local; throws core::Error.
[[nodiscard]] std::int64_t num_tets(const std::filesystem::path& file);

/// True for files that hold tets already: our own .hdf and .h5, TetGen's .node and .ele, Gmsh's .msh, VTK's .vtu.
[[nodiscard]] bool is_tet_mesh_file(const std::filesystem::path& file);
/// Reads any of them. Local; throws core::Error.
/// @param scalars  names of fields that are wanted of it (mesh::read_tet_mesh)
[[nodiscard]] mesh::TetMesh read_tets(const std::filesystem::path& file, std::span<const std::string> scalars = {});

/// Writes a mesh as a snapshot of one part at time 0; pieces are what hangs together through nodes. Local; throws
/// core::Error.
void write_mesh_file(const std::filesystem::path& file, const mesh::TetMesh& mesh);

}  // namespace brisance::sim
