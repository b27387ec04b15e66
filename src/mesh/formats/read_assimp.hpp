/// Surfaces of other programs (glTF, FBX, COLLADA ...) through Assimp, in a child process.
#pragma once

#include "mesh/formats/obj_file.hpp"

#include <filesystem>
#include <optional>

namespace brisance::mesh {

/// Whether the file has an ending of those formats. Local.
[[nodiscard]] bool is_assimp_file(const std::filesystem::path& file);

/// The surface as if an OBJ file had it: every node in its place, z up; names of nodes and materials as groups, texture
/// coordinates and colours of the first set. Animations, bones and morph targets are left out; a node that is scaled to
/// nothing, too. Throws core::Error, core::MissingProgram without the child program. Local.
[[nodiscard]] ObjFile read_assimp(const std::filesystem::path& file);

/// What texture coordinates, materials and colours are read from: an OBJ file, or as read_assimp; nothing for files of
/// other formats. Throws core::Error. Local.
[[nodiscard]] std::optional<ObjFile> read_appearance(const std::filesystem::path& file);

}  // namespace brisance::mesh
