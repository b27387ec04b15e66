#include "brisance/io/array_file.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"

#include "io/hdf5_handles.hpp"
#include "io/posix_file.hpp"

#include <algorithm>
#include <array>

namespace brisance::io {

namespace {

constexpr std::uint64_t kMetadataBytes = 64 << 10;

hid_t in_memory(Scalar type) {
  switch (type) {
    case Scalar::float64:
      return memory_type<double>();
    case Scalar::int64:
      return memory_type<std::int64_t>();
    case Scalar::int32:
      return memory_type<std::int32_t>();
    case Scalar::uint8:
      break;
  }
  return memory_type<std::uint8_t>();
}

hid_t in_file(Scalar type) {
  switch (type) {
    case Scalar::float64:
      return file_type<double>();
    case Scalar::int64:
      return file_type<std::int64_t>();
    case Scalar::int32:
      return file_type<std::int32_t>();
    case Scalar::uint8:
      break;
  }
  return file_type<std::uint8_t>();
}

Hdf5Type text_type(std::size_t length) {
  Hdf5Type type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.raw(), std::max<std::size_t>(length, 1));
  H5Tset_strpad(type.raw(), H5T_STR_NULLPAD);
  return type;
}

}  // namespace

struct ArrayFileWriter::Open {
  std::filesystem::path path, temporary;
  QuietHdf5 quiet;
  Hdf5File file;

  template <class Status>
  Status check(Status status, const std::string& what) const {
    if (status < 0)
      throw core::Error("cannot write " + path.string() + " (" + what + "): " + hdf5_reason() + ". " + kDiskAdvice);
    return status;
  }
  void attribute(const char* group, const char* name, hid_t to, hid_t from, const Hdf5Space& space,
                 const void* data) const {
    const Hdf5Attribute made(check(
        H5Acreate_by_name(file.raw(), group, name, to, space.raw(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), name));
    check(H5Awrite(made.raw(), from, data), name);
  }
};

ArrayFileWriter::ArrayFileWriter(const std::filesystem::path& file, std::uint64_t expected_bytes)
    : open_(std::make_unique<Open>()) {
  open_->path = file;
  open_->temporary = temporary_name(file);
  reserve_space(open_->temporary, expected_bytes + kMetadataBytes);
  open_->file =
      Hdf5File(open_->check(H5Fcreate(open_->temporary.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "create"));
}

ArrayFileWriter::~ArrayFileWriter() {
  if (!open_->file.valid()) return;  // published
  open_->file.close();
  std::error_code ignored;
  std::filesystem::remove(open_->temporary, ignored);
}

void ArrayFileWriter::group(const char* name) {
  const Hdf5Group made(open_->check(H5Gcreate2(open_->file.raw(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), name));
}

void ArrayFileWriter::write(const std::string& name, Scalar type, const void* data, std::size_t rows,
                            std::size_t width) {
  const std::array<hsize_t, 2> size{rows, width};
  const Hdf5Space space(H5Screate_simple(width == 1 ? 1 : 2, size.data(), nullptr));
  const Hdf5Dataset made(open_->check(
      H5Dcreate2(open_->file.raw(), name.c_str(), in_file(type), space.raw(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      name));
  if (rows > 0) open_->check(H5Dwrite(made.raw(), in_memory(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data), name);
}

void ArrayFileWriter::number(const char* group, const char* name, std::int64_t value) {
  open_->attribute(group, name, in_file(Scalar::int64), in_memory(Scalar::int64), Hdf5Space(H5Screate(H5S_SCALAR)),
                   &value);
}

void ArrayFileWriter::number(const char* group, const char* name, double value) {
  open_->attribute(group, name, in_file(Scalar::float64), in_memory(Scalar::float64), Hdf5Space(H5Screate(H5S_SCALAR)),
                   &value);
}

void ArrayFileWriter::text(const char* group, const char* name, const std::string& value) {
  const Hdf5Type type = text_type(value.size());
  open_->attribute(group, name, type.raw(), type.raw(), Hdf5Space(H5Screate(H5S_SCALAR)), value.c_str());
}

void ArrayFileWriter::vtk_attributes() {
  const std::array<std::int64_t, 2> version{1, 0};
  const hsize_t two = 2;
  open_->attribute("/VTKHDF", "Version", in_file(Scalar::int64), in_memory(Scalar::int64),
                   Hdf5Space(H5Screate_simple(1, &two, nullptr)), version.data());
  text("/VTKHDF", "Type", "UnstructuredGrid");
}

void ArrayFileWriter::publish() {
  open_->check(open_->file.close() ? 0 : -1, "close");
  io::publish(open_->temporary, open_->path);
}

struct ArrayFileReader::Open {
  std::filesystem::path path;
  QuietHdf5 quiet;
  Hdf5File file;
};

ArrayFileReader::ArrayFileReader(const std::filesystem::path& file) : open_(std::make_unique<Open>()) {
  open_->path = file;
  if (!std::filesystem::is_regular_file(file)) throw core::Error(file.string() + ": no such file.");
  if (H5Fis_hdf5(file.c_str()) <= 0)
    throw core::Error(file.string() + " is not an HDF5 file, or was cut short. Write or copy it again.");
  open_->file = Hdf5File(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!open_->file.valid())
    throw core::Error(file.string() + " cannot be opened: " + hdf5_reason() +
                      ". It is probably cut short; write or copy it again.");
}

ArrayFileReader::~ArrayFileReader() = default;

void ArrayFileReader::damaged(const std::string& what) const {
  throw core::Error(open_->path.string() + ": " + what +
                    " is missing, unreadable or does not fit the rest of the file. The file is damaged or was edited; "
                    "write or copy it again (layout: docs/FORMAT.md).");
}

bool ArrayFileReader::has(const std::string& name) const {
  return H5Lexists(open_->file.raw(), name.c_str(), H5P_DEFAULT) > 0;
}

std::size_t ArrayFileReader::num_rows(const std::string& name, std::size_t width) const {
  const Hdf5Dataset source(H5Dopen2(open_->file.raw(), name.c_str(), H5P_DEFAULT));
  if (!source.valid()) damaged(name);
  const Hdf5Space space(H5Dget_space(source.raw()));
  const int rank = H5Sget_simple_extent_ndims(space.raw());
  if (rank != 1 && rank != 2) damaged(name);
  std::array<hsize_t, 2> size{0, 1};
  H5Sget_simple_extent_dims(space.raw(), size.data(), nullptr);
  if (size[1] != width) damaged(name);
  return size[0];
}

void ArrayFileReader::read(const std::string& name, Scalar type, void* data) const {
  const Hdf5Dataset source(H5Dopen2(open_->file.raw(), name.c_str(), H5P_DEFAULT));
  if (H5Dread(source.raw(), in_memory(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) damaged(name);
}

std::int64_t ArrayFileReader::integer(const char* group, const char* name) const {
  const Hdf5Attribute attribute(H5Aopen_by_name(open_->file.raw(), group, name, H5P_DEFAULT, H5P_DEFAULT));
  std::int64_t value = 0;
  if (!attribute.valid() || H5Aread(attribute.raw(), in_memory(Scalar::int64), &value) < 0)
    damaged(std::string("attribute ") + group + "/" + name);
  return value;
}

double ArrayFileReader::number(const char* group, const char* name) const {
  const Hdf5Attribute attribute(H5Aopen_by_name(open_->file.raw(), group, name, H5P_DEFAULT, H5P_DEFAULT));
  double value = 0;
  if (!attribute.valid() || H5Aread(attribute.raw(), in_memory(Scalar::float64), &value) < 0)
    damaged(std::string("attribute ") + group + "/" + name);
  return value;
}

std::string ArrayFileReader::text(const char* group, const char* name) const {
  const Hdf5Attribute attribute(H5Aopen_by_name(open_->file.raw(), group, name, H5P_DEFAULT, H5P_DEFAULT));
  if (!attribute.valid()) damaged(std::string("attribute ") + group + "/" + name);
  const Hdf5Type type(H5Aget_type(attribute.raw()));
  if (H5Tget_class(type.raw()) != H5T_STRING || H5Tis_variable_str(type.raw()) > 0)
    damaged(std::string("attribute ") + group + "/" + name);
  std::string value(H5Tget_size(type.raw()), '\0');
  if (H5Aread(attribute.raw(), type.raw(), value.data()) < 0) damaged(std::string("attribute ") + group + "/" + name);
  value.erase(value.find_last_not_of('\0') + 1);
  return value;
}

}  // namespace brisance::io
