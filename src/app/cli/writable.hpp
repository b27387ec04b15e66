/// Checks before a computation that results can be written.
#pragma once

#include <filesystem>

namespace brisance::app {

/// Throws core::BadInput if no file of this name can be made: its folder is missing, is no folder, or may not be
/// written to (permissions, a read-only file system). Does nothing for an empty name. Local.
void require_writable(const std::filesystem::path& file);

}  // namespace brisance::app
