/// Orientation of the tets of a file.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::mesh {

/// Throws the error about a tet, given by its position in the mesh.
using FailAtTet = std::function<void(std::size_t tet, std::string_view message)>;

/// Makes all tets positive where that needs no guess: if every one is negative, `file` follows the other convention;
/// two corners of each are swapped, and the log says so. If only some are negative, either their corners or their nodes
/// are wrong: `fail` is called for the first, with a message that counts them and names the first few by `ids`, their
/// numbers in the file. To be called before faces are numbered (`face_source`). Local.
void orient_tets(TetMesh& mesh, const std::filesystem::path& file, std::span<const std::int64_t> ids,
                 const FailAtTet& fail);

// The steps of orient_tets, for a mesh whose tets are on several ranks.
/// Indices of the tets of negative volume, ascending. Local.
[[nodiscard]] std::vector<std::size_t> inverted_tets(const TetMesh& mesh);
/// Swaps two corners of every tet. Local.
void swap_corners(TetMesh& mesh);
/// The log message about the swap.
[[nodiscard]] std::string text_of_swap(const std::filesystem::path& file, std::int64_t num_tets);
/// The error about some inverted tets of `num_tets`, by their numbers in the file.
[[nodiscard]] std::string text_of_inverted(std::span<const std::int64_t> ids, std::int64_t num_tets);

}  // namespace brisance::mesh
