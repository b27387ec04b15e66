/// Files whose names can be guessed, such as temporary files beside a result.
#pragma once

#include <filesystem>

namespace brisance::core {

/// Makes an empty file that nobody else has open. An existing file or link of that name is removed and not followed, so
/// that nothing elsewhere is overwritten through it. Local.
/// @return false if that failed (a folder of that name, no such folder, not writable); errno says why
[[nodiscard]] bool make_fresh_file(const std::filesystem::path& file);

}  // namespace brisance::core
