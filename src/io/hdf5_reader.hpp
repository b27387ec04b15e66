/// Reads an HDF5 file in one process: datasets of rows, texts, attributes.
#pragma once

#include "brisance/core/blocks.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/input_file.hpp"

#include "io/hdf5_handles.hpp"
#include "io/hdf5_links.hpp"
#include "io/snapshot_layout.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace brisance::io {

/// The expected kind of file, for messages.
struct FileKind {
  const char* name;   ///< "a snapshot"
  const char* found;  ///< a sentence: location of such files
};

/// An HDF5 file opened for reading by one process; anything in it that leads to another file is refused. Every method
/// throws core::Error.
class Hdf5Reader {
public:
  Hdf5Reader(const std::filesystem::path& path, const FileKind& kind) : path_(path), kind_(kind) {
    core::require_regular_file(path_, kind_.found);
    if (H5Fis_hdf5(path_.c_str()) <= 0)
      throw core::Error(path_.string() + " is not an HDF5 file, or not readable. " + kind_.found +
                        " Check the name; if it was cut short, write or copy it again.");
    file_ = Hdf5File(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    if (!file_.valid()) {
      const std::string reason = hdf5_reason();
      throw core::Error(path_.string() + " cannot be opened: " + reason + "." +
                        (is_about_locks(reason) ? "" : " It is probably cut short; write or copy it again."));
    }
    refuse_links_out(file_, path_);
  }

  void require_groups(std::initializer_list<const char*> groups) const {
    for (const char* group : groups)
      if (!has(group))
        throw core::Error(path_.string() + " is an HDF5 file but not " + kind_.name + " of brisance (it has no group " +
                          group + "). " + kind_.found);
  }

  /// The format version is an attribute of /brisance.
  void require_version(const char* attribute, std::int64_t wanted) const {
    const auto version = number<std::int64_t>(attribute);
    if (version != wanted)
      throw core::Error(path_.string() + " is " + kind_.name + " of format " + std::to_string(version) +
                        ", this program reads format " + std::to_string(wanted) +
                        ". Use the version of brisance that wrote it.");
  }

  /// A number stored as attribute of an object; of /brisance if none is named.
  template <class T>
  [[nodiscard]] T number(const char* object, const char* name) const {
    const Hdf5Attribute attribute = single_attribute(object, name);
    T value{};
    if (H5Aread(attribute.raw(), memory_type<T>(), &value) < 0) throw damaged(attribute_name(object, name));
    return value;
  }
  template <class T>
  [[nodiscard]] T number(const char* name) const {
    return number<T>(layout::kOurs, name);
  }

  /// A fixed-length text stored as attribute of an object, its padding removed.
  [[nodiscard]] std::string text(const char* object, const char* name) const {
    const Hdf5Attribute attribute = single_attribute(object, name);
    const Hdf5Type type(H5Aget_type(attribute.raw()));
    const bool is_text = H5Tget_class(type.raw()) == H5T_STRING && H5Tis_variable_str(type.raw()) <= 0;
    if (!is_text || H5Tget_size(type.raw()) > kLongestText) throw damaged(attribute_name(object, name));
    std::string value(H5Tget_size(type.raw()), '\0');
    if (H5Aread(attribute.raw(), type.raw(), value.data()) < 0) throw damaged(attribute_name(object, name));
    value.erase(value.find_last_not_of('\0') + 1);
    return value;
  }

  [[nodiscard]] bool has(const char* name) const { return H5Lexists(file_.raw(), name, H5P_DEFAULT) > 0; }

  /// Number of rows of a dataset.
  [[nodiscard]] std::int64_t num_rows(const char* name) const { return extent(dataset(name), name).rows; }

  /// The number of rows of a dataset whose rows must have `width` values.
  [[nodiscard]] std::size_t num_rows(const char* name, std::size_t width) const {
    const Extent found = extent(dataset(name), name);
    if (found.width != width) throw damaged(name);
    return static_cast<std::size_t>(found.rows);
  }

  /// Values in a row of a dataset.
  [[nodiscard]] std::size_t width(const char* name) const { return extent(dataset(name), name).width; }

  /// Reads rows of a dataset into memory that the caller provides.
  void rows(const char* name, const core::Block& which, hid_t memory_type, void* data) const {
    const Hdf5Dataset source = dataset(name);
    const Extent found = extent(source, name);
    if (which.count == 0) return;
    const std::array<hsize_t, 2> from{static_cast<hsize_t>(which.first), 0};
    const std::array<hsize_t, 2> size{static_cast<hsize_t>(which.count), found.width};
    const Hdf5Space memory(H5Screate_simple(found.rank, size.data(), nullptr));
    const Hdf5Space file(H5Dget_space(source.raw()));
    H5Sselect_hyperslab(file.raw(), H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr);
    if (H5Dread(source.raw(), memory_type, memory.raw(), file.raw(), H5P_DEFAULT, data) < 0) throw damaged(name);
  }

  /// Rows offset … offset+count−1 of a dataset whose rows have the shape of Row.
  template <class Row>
  [[nodiscard]] std::vector<Row> rows(const char* name, std::int64_t offset, std::int64_t count) const {
    using Layout = RowLayout<Row>;
    const Hdf5Dataset source = dataset(name);
    const Extent found = extent(source, name);
    if (found.width != Layout::width || offset < 0 || count < 0 || offset > found.rows - count) throw damaged(name);
    std::vector<Row> result(count);
    rows(name, {offset, count}, memory_type<typename Layout::Scalar>(), result.data());
    return result;
  }
  template <class Row>
  [[nodiscard]] std::vector<Row> rows(const char* name) const {
    return rows<Row>(name, 0, num_rows(name));
  }

  /// A column of fixed-length texts, their padding removed.
  [[nodiscard]] std::vector<std::string> texts(const char* name) const {
    const Hdf5Dataset source = dataset(name);
    const Hdf5Type type(H5Dget_type(source.raw()));
    if (H5Tget_class(type.raw()) != H5T_STRING || H5Tis_variable_str(type.raw()) > 0) throw damaged(name);
    const std::size_t length = H5Tget_size(type.raw());
    const Extent found = extent(source, name);
    if (found.width != 1) throw damaged(name);
    std::vector<std::string> result(found.rows);
    std::string all(result.size() * length, '\0');
    if (!all.empty() && H5Dread(source.raw(), type.raw(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) < 0)
      throw damaged(name);
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = all.substr(i * length, length);
      result[i].erase(result[i].find_last_not_of('\0') + 1);
    }
    return result;
  }

  [[nodiscard]] core::Error damaged(const std::string& what) const { return damaged(path_, what); }
  [[nodiscard]] static core::Error damaged(const std::filesystem::path& path, const std::string& what) {
    return core::Error(
        path.string() + ": " + what +
        " is missing, unreadable or does not fit the rest of the file. The file is damaged or was edited; "
        "write or copy it again (layout: docs/FORMAT.md).");
  }

private:
  static constexpr std::size_t kLongestText = 1 << 20;  ///< longest attribute [byte]
  static constexpr double kMostOverStored = 1100;       ///< largest ratio of deflate's compression

  struct Extent {
    int rank = 0;
    std::int64_t rows = 0;
    std::size_t width = 1;
  };

  static std::string attribute_name(const char* object, const char* name) {
    return std::string("attribute ") + object + "/" + name;
  }

  /// An attribute of one element: reading a longer one would overflow the buffer.
  [[nodiscard]] Hdf5Attribute single_attribute(const char* object, const char* name) const {
    Hdf5Attribute attribute(H5Aopen_by_name(file_.raw(), object, name, H5P_DEFAULT, H5P_DEFAULT));
    if (!attribute.valid()) throw damaged(attribute_name(object, name));
    const Hdf5Space space(H5Aget_space(attribute.raw()));
    if (H5Sget_simple_extent_npoints(space.raw()) != 1) throw damaged(attribute_name(object, name));
    return attribute;
  }

  [[nodiscard]] Hdf5Dataset dataset(const char* name) const {
    Hdf5Dataset opened(H5Dopen2(file_.raw(), name, H5P_DEFAULT));
    if (!opened.valid()) throw damaged(name);
    refuse_values_elsewhere(opened, path_, name);
    return opened;
  }

  [[nodiscard]] Extent extent(const Hdf5Dataset& source, const char* name) const {
    const Hdf5Space space(H5Dget_space(source.raw()));
    const int rank = H5Sget_simple_extent_ndims(space.raw());
    if (rank != 1 && rank != 2) throw damaged(name);
    std::array<hsize_t, 2> dims{0, 1};
    H5Sget_simple_extent_dims(space.raw(), dims.data(), nullptr);
    // A damaged size must not allocate memory beyond the stored data.
    const Hdf5Type type(H5Dget_type(source.raw()));
    const double needed = static_cast<double>(dims[0]) * static_cast<double>(dims[1]) *
                          static_cast<double>(std::max<std::size_t>(H5Tget_size(type.raw()), 1));
    if (needed > kMostOverStored * static_cast<double>(H5Dget_storage_size(source.raw()))) throw damaged(name);
    return {rank, static_cast<std::int64_t>(dims[0]), static_cast<std::size_t>(dims[1])};
  }

  std::filesystem::path path_;
  FileKind kind_;
  Hdf5File file_;
};

}  // namespace brisance::io
