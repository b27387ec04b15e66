/// HDF5 files that name other files: links and storage that lead out of a file are not followed.
#pragma once

#include "io/hdf5_handles.hpp"

#include <filesystem>

namespace brisance::io {

/// Throws core::Error if a link in the file leads out of it (external and user-defined links): what it says would then
/// be read from a file that nobody named. Links within the file are none of these. Local.
void refuse_links_out(const Hdf5File& file, const std::filesystem::path& path);

/// Throws core::Error if the values of a dataset lie in other files (external storage, virtual datasets). Local.
void refuse_values_elsewhere(const Hdf5Dataset& dataset, const std::filesystem::path& path, const char* name);

}  // namespace brisance::io
