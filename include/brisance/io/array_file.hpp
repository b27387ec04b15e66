/// HDF5 files of named arrays, numbers and texts, written and read by one rank. Layouts: docs/FORMAT.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace brisance::io {

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

/// Writes under a temporary name; `publish` gives the file its own. Without it nothing is left behind. Names are full
/// paths within the file; groups must exist. Local; everything throws core::Error.
class ArrayFileWriter {
public:
  /// @param expected_bytes  disk space to ask for before HDF5 starts, which cannot be trusted to survive a full disk
  ArrayFileWriter(const std::filesystem::path& file, std::uint64_t expected_bytes);
  ~ArrayFileWriter();
  ArrayFileWriter(const ArrayFileWriter&) = delete;
  ArrayFileWriter& operator=(const ArrayFileWriter&) = delete;

  void group(const char* name);
  /// A dataset of rows of `width` values; width 1 makes it one-dimensional.
  template <class T>
  void rows(const std::string& name, const std::vector<T>& values, std::size_t width = 1) {
    write(name, scalar_of<T>(), values.data(), values.size() / width, width);
  }
  void number(const char* group, const char* name, std::int64_t value);
  void number(const char* group, const char* name, double value);
  void text(const char* group, const char* name, const std::string& value);
  /// The attributes by which VTK knows an unstructured grid (version 1.0), on group /VTKHDF.
  void vtk_attributes();
  void publish();

private:
  void write(const std::string& name, Scalar type, const void* data, std::size_t rows, std::size_t width);

  struct Open;
  std::unique_ptr<Open> open_;
};

/// Local; everything throws core::Error that names the file and what is wrong with it.
class ArrayFileReader {
public:
  explicit ArrayFileReader(const std::filesystem::path& file);
  ~ArrayFileReader();
  ArrayFileReader(const ArrayFileReader&) = delete;
  ArrayFileReader& operator=(const ArrayFileReader&) = delete;

  [[nodiscard]] bool has(const std::string& name) const;
  /// All values of a dataset whose rows have `width` values.
  template <class T>
  [[nodiscard]] std::vector<T> rows(const std::string& name, std::size_t width = 1) const {
    std::vector<T> values(num_rows(name, width) * width);
    read(name, scalar_of<T>(), values.data());
    return values;
  }
  [[nodiscard]] std::int64_t integer(const char* group, const char* name) const;
  [[nodiscard]] double number(const char* group, const char* name) const;
  [[nodiscard]] std::string text(const char* group, const char* name) const;
  /// To be thrown when something does not fit.
  [[noreturn]] void damaged(const std::string& what) const;

private:
  [[nodiscard]] std::size_t num_rows(const std::string& name, std::size_t width) const;
  void read(const std::string& name, Scalar type, void* data) const;

  struct Open;
  std::unique_ptr<Open> open_;
};

}  // namespace brisance::io
