/// Whether results will find their place, asked before they are computed.
#pragma once

#include <filesystem>

namespace brisance::app {

/// Throws core::BadInput if no file of this name can be made: its folder is missing, is no folder, or may not be
/// written to (permissions, a file system that is read-only). Nothing for an empty name. Local.
void require_writable(const std::filesystem::path& file);

}  // namespace brisance::app
