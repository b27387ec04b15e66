/// Files under names that can be guessed: temporary names beside a result.
#pragma once

#include <filesystem>

namespace brisance::core {

/// Makes an empty file that nobody else has open. What had the name before, a leftover or a link, is removed and not
/// followed, so that nothing outside is written through it. Local.
/// @return false if that failed (a folder of that name, no such folder, not writable); errno says why
[[nodiscard]] bool make_fresh_file(const std::filesystem::path& file);

}  // namespace brisance::core
