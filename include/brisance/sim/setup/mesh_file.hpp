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

/// The same, distributed: each rank has some tets with their corners, and a block of all nodes. Numbers are those of
/// read_mesh_file, on any number of ranks. No rank holds more than its share. Collective; throws core::BadInput on all
/// ranks.
[[nodiscard]] dist::MeshShare read_mesh_share(const core::Comm& comm, const std::filesystem::path& file);

/// Whether the file has our own format, by its name. Local.
[[nodiscard]] bool is_our_mesh_file(const std::filesystem::path& file);
/// Whether the file was written by write_mesh_file and is not a frame of a run; false if it cannot be read. Local.
[[nodiscard]] bool is_mesh_without_run(const std::filesystem::path& file);
/// Throws core::Error if fields (mesh::read_tet_mesh) are requested of a file of our own, which has none. Local.
void refuse_fields(const std::filesystem::path& file, std::span<const std::string> scalars);
/// Number of tets in a file of tets; our own files are not read in full. Local; throws core::Error.
[[nodiscard]] std::int64_t num_tets(const std::filesystem::path& file);

/// True for files that hold tets already: our own .hdf and .h5, TetGen's .node and .ele, Gmsh's .msh, VTK's .vtu.
[[nodiscard]] bool is_tet_mesh_file(const std::filesystem::path& file);
/// Reads a file of any of these formats. Local; throws core::Error.
/// @param scalars  names of the fields to read (mesh::read_tet_mesh)
[[nodiscard]] mesh::TetMesh read_tets(const std::filesystem::path& file, std::span<const std::string> scalars = {});

/// Writes a mesh as a snapshot of one part at time 0; pieces are sets of tets connected through nodes. Local; throws
/// core::Error.
void write_mesh_file(const std::filesystem::path& file, const mesh::TetMesh& mesh);

}  // namespace brisance::sim
