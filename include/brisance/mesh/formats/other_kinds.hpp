/// Files under a mesh's name that are no mesh, as downloads, archives and version control leave them.
#pragma once

#include <filesystem>

namespace brisance::mesh {

/// Throws core::Error "FILE: is ..., not a mesh. What to do." where a file is, by its first bytes, a Git LFS pointer, a
/// web page, JSON, an archive, a picture or a mesh in a format that is not supported. HDF5 files and paths that are no
/// regular file are left to their readers. Local.
void refuse_other_kinds(const std::filesystem::path& file);

}  // namespace brisance::mesh
