/// Refuses HDF5 files with links or storage that lead to other files.
#pragma once

#include "io/hdf5_handles.hpp"

#include <filesystem>

namespace brisance::io {

/// Throws core::Error if a link in the file leads out of it (external and user-defined links): data would then be read
/// from a file that the user did not name. Links within the file are allowed. Local.
void refuse_links_out(const Hdf5File& file, const std::filesystem::path& path);

/// Throws core::Error if the values of a dataset lie in other files (external storage, virtual datasets). Local.
void refuse_values_elsewhere(const Hdf5Dataset& dataset, const std::filesystem::path& path, const char* name);

}  // namespace brisance::io
