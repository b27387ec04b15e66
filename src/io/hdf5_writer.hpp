/// Writes an HDF5 file in one process: groups, datasets of rows, texts, attributes.
#pragma once

#include "brisance/core/error.hpp"

#include "io/column.hpp"
#include "io/hdf5_handles.hpp"
#include "io/posix_file.hpp"
#include "io/snapshot_layout.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace brisance::io {

/// Throws core::Error "cannot write PATH (what): reason" if an HDF5 call failed.
template <class Status>
Status check_hdf5(Status status, const char* what, const std::filesystem::path& path) {
  if (status < 0)
    throw core::Error("cannot write " + path.string() + " (" + what + "): " + hdf5_reason() + ". " + kDiskAdvice);
  return status;
}

/// A file being laid out by one process. Every method throws core::Error.
class Hdf5Writer {
public:
  explicit Hdf5Writer(const std::filesystem::path& path)
      : path_(path),
        file_(check_hdf5(H5Fcreate(fresh(path).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "create", path)) {}

  void group(const char* name) {
    const Hdf5Group made(check_hdf5(H5Gcreate2(file_.raw(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), name, path_));
  }

  /// An empty dataset of the column's full size. Space is allocated at once and not filled: every row will be written.
  /// @param deflate_level  1 to 9: all but small columns are shuffled and deflated chunk by chunk as they are written,
  /// and space is allocated then; 0: uncompressed
  [[nodiscard]] Hdf5Dataset dataset(const Column& column, int deflate_level = 0) {
    const std::array<hsize_t, 2> dims{column.share.total, column.width};
    const Hdf5Space space(H5Screate_simple(column.rank(), dims.data(), nullptr));
    const Hdf5Properties creation(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_fill_time(creation.raw(), H5D_FILL_TIME_NEVER);
    if (deflate_level > 0 && column.share.total * row_bytes(column) >= kLeastToDeflate) {
      const std::array<hsize_t, 2> chunk{std::min(column.share.total, rows_a_chunk(column)), column.width};
      H5Pset_chunk(creation.raw(), column.rank(), chunk.data());
      H5Pset_shuffle(creation.raw());
      check_hdf5(H5Pset_deflate(creation.raw(), static_cast<unsigned>(deflate_level)), column.name, path_);
    } else {
      H5Pset_alloc_time(creation.raw(), H5D_ALLOC_TIME_EARLY);
    }
    return Hdf5Dataset(check_hdf5(
        H5Dcreate2(file_.raw(), column.name, column.file_type, space.raw(), H5P_DEFAULT, creation.raw(), H5P_DEFAULT),
        column.name, path_));
  }

  /// A dataset that this process writes whole.
  void whole(const Column& column) {
    const Hdf5Dataset made = dataset(column);
    if (column.share.total == 0) return;
    check_hdf5(H5Dwrite(made.raw(), column.memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.data), column.name,
               path_);
  }
  template <class Row>
  void rows(const char* name, const std::vector<Row>& rows) {
    whole(column(name, {rows.size(), 0, rows.size()}, rows));
  }

  /// A dataset of UTF-8 texts, each padded with zeros to the longest.
  void texts(const char* name, const std::vector<std::string>& texts) {
    std::size_t length = 1;
    for (const auto& text : texts) length = std::max(length, text.size());
    std::string padded;
    for (const auto& text : texts) padded.append(text).append(length - text.size(), '\0');
    const Hdf5Type type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type.raw(), length);
    H5Tset_strpad(type.raw(), H5T_STR_NULLPAD);
    H5Tset_cset(type.raw(), H5T_CSET_UTF8);
    whole({name, type.raw(), type.raw(), 1, {texts.size(), 0, texts.size()}, padded.data()});
  }

  /// A number as an attribute of an object.
  template <class T>
  void attribute(const char* object, const char* name, T value) {
    attribute(object, name, file_type<T>(), memory_type<T>(), Hdf5Space(H5Screate(H5S_SCALAR)), &value);
  }
  /// A text as an attribute of an object.
  void text(const char* object, const char* name, const std::string& value) {
    const Hdf5Type type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type.raw(), std::max<std::size_t>(value.size(), 1));
    H5Tset_strpad(type.raw(), H5T_STR_NULLPAD);
    attribute(object, name, type.raw(), type.raw(), Hdf5Space(H5Screate(H5S_SCALAR)), value.c_str());
  }
  /// The two attributes by which VTK recognises its file.
  void vtk_attributes() {
    const std::array<std::int64_t, 2> version{1, 0};
    const hsize_t two = 2;
    attribute(layout::kVtk, "Version", H5T_STD_I64LE, H5T_NATIVE_INT64, Hdf5Space(H5Screate_simple(1, &two, nullptr)),
              version.data());
    text(layout::kVtk, "Type", "UnstructuredGrid");
  }

  void close() { check_hdf5(file_.close() ? 0 : -1, "close", path_); }

private:
  static const std::filesystem::path& fresh(const std::filesystem::path& path) {
    require_fresh(path);
    return path;
  }

  static constexpr hsize_t kChunkBytes = 256 << 10;     // eight windows of deflate; a single value needs little reading
  static constexpr hsize_t kLeastToDeflate = 16 << 10;  // smaller datasets do not pay for the list of chunks
  static hsize_t row_bytes(const Column& column) { return column.width * H5Tget_size(column.file_type); }
  static hsize_t rows_a_chunk(const Column& column) { return std::max<hsize_t>(1, kChunkBytes / row_bytes(column)); }

  void attribute(const char* object, const char* name, hid_t file, hid_t memory, const Hdf5Space& space,
                 const void* data) {
    const Hdf5Attribute made(check_hdf5(
        H5Acreate_by_name(file_.raw(), object, name, file, space.raw(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), name,
        path_));
    check_hdf5(H5Awrite(made.raw(), memory, data), name, path_);
  }

  std::filesystem::path path_;
  Hdf5File file_;
};

}  // namespace brisance::io
