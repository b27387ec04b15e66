/// What a file of the program holds, in a few lines: for `brisance info`.
#pragma once

#include "brisance/mesh/groups.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace brisance::app {

/// For files of modes, vibrations and pieces, runtime files and tetrahedral meshes; empty for what may be a snapshot.
/// Local; throws core::Error if it is one of these but damaged, or nothing that the program knows.
[[nodiscard]] std::string description_of(const std::filesystem::path& file);

/// The names of tets and of faces of the input, with how many have each: a line each, or nothing. Local.
[[nodiscard]] std::string describe(const mesh::Groups& groups, std::span<const std::int32_t> group_of_tet);

}  // namespace brisance::app
