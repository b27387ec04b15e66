#include "io/hdf5_links.hpp"

#include "brisance/core/error.hpp"

namespace brisance::io {

namespace {

/// Keeps the name of the first link that leads out of the file, and stops there.
herr_t find_link_out(hid_t, const char* name, const H5L_info_t* info, void* found) {
  if (info->type == H5L_TYPE_HARD || info->type == H5L_TYPE_SOFT) return 0;
  *static_cast<std::string*>(found) = name;
  return 1;
}

core::Error leads_out(const std::filesystem::path& path, const std::string& what) {
  return core::Error(path.string() + ": " + what +
                     " lies in another file. Links and storage that lead out of a file are not followed: copy the "
                     "data into it (h5repack, or write it again).");
}

}  // namespace

void refuse_links_out(const Hdf5File& file, const std::filesystem::path& path) {
  std::string name;
  const herr_t result = H5Lvisit(file.raw(), H5_INDEX_NAME, H5_ITER_NATIVE, find_link_out, &name);
  if (result > 0) throw leads_out(path, "/" + name);
  if (result < 0)
    throw core::Error(path.string() + ": its groups cannot be read (" + hdf5_reason() +
                      "). The file is damaged; write or copy it again.");
}

void refuse_values_elsewhere(const Hdf5Dataset& dataset, const std::filesystem::path& path, const char* name) {
  const Hdf5Properties made(H5Dget_create_plist(dataset.raw()));
  const bool elsewhere = H5Pget_external_count(made.raw()) > 0 || H5Pget_layout(made.raw()) == H5D_VIRTUAL;
  if (elsewhere) throw leads_out(path, name);
}

}  // namespace brisance::io
