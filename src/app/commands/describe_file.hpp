/// What a file of the program holds, in a few lines: for `brisance info`.
#pragma once

#include <filesystem>
#include <string>

namespace brisance::app {

/// For files of modes, vibrations and pieces and for runtime files; empty for any other. Local; throws core::Error if
/// it is one of these but damaged.
[[nodiscard]] std::string description_of(const std::filesystem::path& file);

}  // namespace brisance::app
