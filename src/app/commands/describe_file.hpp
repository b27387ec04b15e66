/// What a file of the program holds, in a few lines: for `brisance info`.
#pragma once

#include <filesystem>
#include <string>

namespace brisance::app {

/// For files of modes, vibrations and pieces, runtime files and tetrahedral meshes; empty for what may be a snapshot.
/// Local; throws core::Error if it is one of these but damaged, or nothing that the program knows.
[[nodiscard]] std::string description_of(const std::filesystem::path& file);

}  // namespace brisance::app
