#include "brisance/io/array_file.hpp"

#include "brisance/io/atomic_file.hpp"

#include "io/hdf5_reader.hpp"
#include "io/hdf5_writer.hpp"
#include "io/posix_file.hpp"

#include <optional>

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

}  // namespace

struct ArrayFileWriter::Open {
  std::filesystem::path path, temporary;
  QuietHdf5 quiet;
  std::optional<Hdf5Writer> file;  ///< empty once published
};

ArrayFileWriter::ArrayFileWriter(const std::filesystem::path& file, std::uint64_t expected_bytes)
    : open_(std::make_unique<Open>()) {
  open_->path = file;
  open_->temporary = temporary_name(file);
  reserve_space(open_->temporary, expected_bytes + kMetadataBytes);
  open_->file.emplace(open_->temporary, file);
}

ArrayFileWriter::~ArrayFileWriter() {
  if (!open_->file) return;  // published
  open_->file.reset();
  std::error_code ignored;
  std::filesystem::remove(open_->temporary, ignored);
}

void ArrayFileWriter::group(const char* name) { open_->file->group(name); }

void ArrayFileWriter::write(const std::string& name, Scalar type, const void* data, std::size_t rows,
                            std::size_t width) {
  open_->file->whole({name.c_str(), in_file(type), in_memory(type), width, {rows, 0, rows}, data});
}

void ArrayFileWriter::number(const char* group, const char* name, std::int64_t value) {
  open_->file->attribute(group, name, value);
}

void ArrayFileWriter::number(const char* group, const char* name, double value) {
  open_->file->attribute(group, name, value);
}

void ArrayFileWriter::text(const char* group, const char* name, const std::string& value) {
  open_->file->text(group, name, value);
}

void ArrayFileWriter::vtk_attributes() { open_->file->vtk_attributes(); }

void ArrayFileWriter::publish() {
  open_->file->close();
  io::publish(open_->temporary, open_->path);
  open_->file.reset();
}

struct ArrayFileReader::Open {
  QuietHdf5 quiet;
  Hdf5Reader file;
};

ArrayFileReader::ArrayFileReader(const std::filesystem::path& file)
    : open_(new Open{{}, {file, {.name = "a file of modes", .found = "`brisance modes` writes such files."}}}) {}

ArrayFileReader::~ArrayFileReader() = default;

void ArrayFileReader::damaged(const std::string& what) const { throw open_->file.damaged(what); }

bool ArrayFileReader::has(const std::string& name) const { return open_->file.has(name.c_str()); }

std::size_t ArrayFileReader::num_rows(const std::string& name, std::size_t width) const {
  return open_->file.num_rows(name.c_str(), width);
}

void ArrayFileReader::read(const std::string& name, Scalar type, void* data) const {
  open_->file.whole(name.c_str(), in_memory(type), data);
}

std::int64_t ArrayFileReader::integer(const char* group, const char* name) const {
  return open_->file.number<std::int64_t>(group, name);
}

double ArrayFileReader::number(const char* group, const char* name) const {
  return open_->file.number<double>(group, name);
}

std::string ArrayFileReader::text(const char* group, const char* name) const { return open_->file.text(group, name); }

}  // namespace brisance::io
