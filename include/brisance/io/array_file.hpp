/// HDF5 files of named arrays, numbers and texts, written and read by all ranks. Layouts: docs/FORMAT.md.
#pragma once

#include "brisance/core/blocks.hpp"
#include "brisance/core/comm.hpp"
#include "brisance/core/error.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace brisance::io {

/// Type of the numbers of a dataset.
enum class Scalar : std::uint8_t { float64, int64, int32, uint8 };

template <class T>
[[nodiscard]] constexpr Scalar scalar_of() {
  if constexpr (std::is_same_v<T, double>) {
    return Scalar::float64;
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return Scalar::int64;
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return Scalar::int32;
  } else {
    static_assert(std::is_same_v<T, std::uint8_t>);
    return Scalar::uint8;
  }
}

class Hdf5Writer;

/// Collects the contents of a file in memory; `publish` writes it. Names are full paths within the file. A group must
/// be added before its members. Every rank must add the same datasets in the same order; groups, numbers and texts are
/// taken from rank 0. To write a file by one rank, use `core::Comm(MPI_COMM_SELF)`. Local except for `publish`.
class ArrayFileWriter {
public:
  ArrayFileWriter(const core::Comm& comm, std::filesystem::path file);

  void group(const std::string& name);
  /// Adds a dataset whose rows have `width` values: the rows of all ranks, in rank order; a rank may have none. Width 1
  /// makes a one-dimensional dataset. The writer owns the values until it is destroyed; move large ones into it.
  template <class T>
  void rows(const std::string& name, std::vector<T> values, std::size_t width = 1) {
    const auto kept = std::make_shared<const std::vector<T>>(std::move(values));
    tables_.push_back({name, scalar_of<T>(), width, kept->size() / width, {kept, kept->data()}});
  }
  /// Adds a dataset all of whose rows are on rank 0; values of other ranks are ignored.
  template <class T>
  void rows_of_root(const std::string& name, std::vector<T> values, std::size_t width = 1) {
    rows(name, comm_.is_root() ? std::move(values) : std::vector<T>{}, width);
  }
  /// Adds an attribute to a group.
  void number(const std::string& group, const std::string& name, std::int64_t value);
  void number(const std::string& group, const std::string& name, double value);
  void text(const std::string& group, const std::string& name, const std::string& value);
  /// Adds the attributes by which VTK recognises an unstructured grid (VTKHDF 1.0) to group /VTKHDF.
  void vtk_attributes();
  /// Writes everything under a temporary name, then fsync and rename. Disk space is reserved before the first value is
  /// written.
  /// @param with_checksums  also writes a file of checksums (checksums.hpp), for a file that a later run depends on
  /// Collective; a failure throws core::Error on all ranks, removes the temporary file and keeps an existing file of
  /// that name.
  void publish(bool with_checksums = false) const;

private:
  struct Table {
    std::string name;
    Scalar type;
    std::size_t width, rows;
    std::shared_ptr<const void> values;
  };

  core::Comm comm_;
  std::filesystem::path file_;
  std::vector<std::function<void(Hdf5Writer&)>> rest_;  ///< groups, numbers and texts
  std::vector<Table> tables_;
};

/// The error that an ArrayFileReader throws about `what`, a dataset or attribute that is missing or inconsistent.
[[nodiscard]] core::Error damaged(const std::filesystem::path& file, const std::string& what);

/// Reader of such a file, open as long as it lives. Local; every method throws core::Error that names the file and the
/// fault.
class ArrayFileReader {
public:
  explicit ArrayFileReader(const std::filesystem::path& file);
  ~ArrayFileReader();
  ArrayFileReader(const ArrayFileReader&) = delete;
  ArrayFileReader& operator=(const ArrayFileReader&) = delete;

  [[nodiscard]] bool has(const std::string& name) const;  ///< whether the file has this dataset or group
  /// Number of rows of a dataset whose rows have `width` values.
  [[nodiscard]] std::size_t num_rows(const std::string& name, std::size_t width = 1) const;
  /// All values of a dataset whose rows have `width` values.
  template <class T>
  [[nodiscard]] std::vector<T> rows(const std::string& name, std::size_t width = 1) const {
    return rows<T>(name, {0, static_cast<std::int64_t>(num_rows(name, width))}, width);
  }
  /// The values of this rank's block of rows (core::block_of), all ranks' blocks being the dataset. `group` successive
  /// rows stay on one rank.
  template <class T>
  [[nodiscard]] std::vector<T> block_rows(const std::string& name, const core::Comm& comm, std::size_t width = 1,
                                          std::size_t group = 1) const {
    const std::size_t all = num_rows(name, width);
    if (all % group != 0) damaged(name);
    const core::Block groups = core::block_of(static_cast<std::int64_t>(all / group), comm.rank(), comm.size());
    const auto each = static_cast<std::int64_t>(group);
    return rows<T>(name, {groups.first * each, groups.count * each}, width);
  }
  /// The value of an attribute of a group.
  [[nodiscard]] std::int64_t integer(const char* group, const char* name) const;
  [[nodiscard]] double number(const char* group, const char* name) const;
  [[nodiscard]] std::string text(const char* group, const char* name) const;
  /// Throws the error for an inconsistent value, which `what` names.
  [[noreturn]] void damaged(const std::string& what) const;

private:
  template <class T>
  [[nodiscard]] std::vector<T> rows(const std::string& name, const core::Block& which, std::size_t width) const {
    std::vector<T> values(static_cast<std::size_t>(which.count) * width);
    read(name, scalar_of<T>(), which, values.data());
    return values;
  }
  void read(const std::string& name, Scalar type, const core::Block& rows, void* data) const;

  struct Open;
  std::unique_ptr<Open> open_;
};

/// Whether the file is an HDF5 file with this group, given by its full path. Local; does not throw.
[[nodiscard]] bool has_group(const std::filesystem::path& file, const std::string& group);

}  // namespace brisance::io
