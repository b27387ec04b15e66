/// One reader for each surface format, over a file already in memory; `read_surface` chooses. Each throws core::Error.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace brisance::mesh {

/// Wavefront OBJ: v, f and the names of o, g and usemtl; negative indices, v/vt/vn, vertex weights or colours,
/// lines continued by a backslash; the rest is skipped.
[[nodiscard]] Surface read_obj(const std::filesystem::path& file, std::string_view bytes);
/// STL: ASCII (any number of solids, whose names are groups; lines of other words are skipped) or binary, distinguished
/// by size and content and not by the word "solid".
[[nodiscard]] Surface read_stl(const std::filesystem::path& file, std::string_view bytes);
/// PLY 1.0: ASCII, little- and big-endian; element vertex (x, y, z) and element face (a list of vertex indices).
[[nodiscard]] Surface read_ply(const std::filesystem::path& file, std::string_view bytes);
/// OFF, ASCII, with or without normals, colours and texture coordinates (COFF, NOFF, STOFF); lines may break anywhere,
/// and the counts may follow the first word without a blank.
[[nodiscard]] Surface read_off(const std::filesystem::path& file, std::string_view bytes);
/// Is this the first word of an OFF file?
[[nodiscard]] bool begins_as_off(std::string_view word);
/// The triangles of a Gmsh file as the tets are read (read_tet_mesh.hpp); solids in it are an error.
/// @param region  receives the physical surface of each triangle; empty if all are 0
[[nodiscard]] Surface read_gmsh_triangles(const std::filesystem::path& file, std::vector<std::int32_t>& region);

}  // namespace brisance::mesh
