/// Describes a file of the program in a few lines, for `brisance info`.
#pragma once

#include "brisance/mesh/groups.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace brisance::app {

/// For files of modes, vibrations and pieces, runtime files and tetrahedral meshes; empty for possible snapshots.
/// Local; throws core::Error for a damaged one of these, or for a file of unknown kind.
[[nodiscard]] std::string description_of(const std::filesystem::path& file);

/// The names of tets and of input faces, one a line with its count, or nothing. Local.
[[nodiscard]] std::string describe(const mesh::Groups& groups, std::span<const std::int32_t> group_of_tet);

}  // namespace brisance::app
