#include "brisance/io/array_file.hpp"

#include "io/hdf5_reader.hpp"
#include "io/write_columns.hpp"

#include <span>

#include <spdlog/fmt/fmt.h>

namespace brisance::io {

namespace {

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

/// Throws core::Error on all ranks if they would write different datasets, as HDF5's collective calls would then block
/// for ever. Collective.
void require_same(const core::Comm& comm, const std::string& list) {
  const std::uint64_t print = std::hash<std::string>{}(list);
  if (comm.min(print) != comm.max(print))
    throw core::Error("the ranks do not write the same tables (a fault of the program, please report)");
}

/// Offset and number of this rank's rows in each dataset, and the total of all ranks. Collective.
std::vector<Share> shares_of(const core::Comm& comm, const std::vector<hsize_t>& rows) {
  const std::vector<hsize_t> all = comm.all_gather(std::span<const hsize_t>(rows));
  std::vector<Share> shares(rows.size());
  for (int r = 0; r < comm.size(); ++r)
    for (std::size_t t = 0; t < rows.size(); ++t) {
      const hsize_t count = all[static_cast<std::size_t>(r) * rows.size() + t];
      if (r < comm.rank()) shares[t].offset += count;
      if (r == comm.rank()) shares[t].count = count;
      shares[t].total += count;
    }
  return shares;
}

}  // namespace

ArrayFileWriter::ArrayFileWriter(const core::Comm& comm, std::filesystem::path file)
    : comm_(comm), file_(std::move(file)) {}

void ArrayFileWriter::group(const std::string& name) {
  rest_.emplace_back([=](Hdf5Writer& file) { file.group(name.c_str()); });
}

void ArrayFileWriter::number(const std::string& group, const std::string& name, std::int64_t value) {
  rest_.emplace_back([=](Hdf5Writer& file) { file.attribute(group.c_str(), name.c_str(), value); });
}

void ArrayFileWriter::number(const std::string& group, const std::string& name, double value) {
  rest_.emplace_back([=](Hdf5Writer& file) { file.attribute(group.c_str(), name.c_str(), value); });
}

void ArrayFileWriter::text(const std::string& group, const std::string& name, const std::string& value) {
  rest_.emplace_back([=](Hdf5Writer& file) { file.text(group.c_str(), name.c_str(), value); });
}

void ArrayFileWriter::vtk_attributes() {
  rest_.emplace_back([](Hdf5Writer& file) { file.vtk_attributes(); });
}

void ArrayFileWriter::publish(bool with_checksums) const {
  const QuietHdf5 quiet;
  std::string list;
  std::vector<hsize_t> mine;
  for (const Table& table : tables_) {
    list += fmt::format("{} {} {}\n", table.name, static_cast<int>(table.type), table.width);
    mine.push_back(table.rows);
  }
  require_same(comm_, list);
  const std::vector<Share> shares = shares_of(comm_, mine);
  std::vector<Column> columns;
  for (std::size_t t = 0; t < tables_.size(); ++t)
    columns.push_back({tables_[t].name.c_str(), in_file(tables_[t].type), in_memory(tables_[t].type), tables_[t].width,
                       shares[t], tables_[t].values.get()});
  write_columns(comm_, file_, columns, {.with_checksums = with_checksums}, [&](Hdf5Writer& file) {
    for (const auto& write : rest_) write(file);
  });
}

core::Error damaged(const std::filesystem::path& file, const std::string& what) {
  return Hdf5Reader::damaged(file, what);
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

void ArrayFileReader::read(const std::string& name, Scalar type, const core::Block& rows, void* data) const {
  open_->file.rows(name.c_str(), rows, in_memory(type), data);
}

std::int64_t ArrayFileReader::integer(const char* group, const char* name) const {
  return open_->file.number<std::int64_t>(group, name);
}

double ArrayFileReader::number(const char* group, const char* name) const {
  return open_->file.number<double>(group, name);
}

std::string ArrayFileReader::text(const char* group, const char* name) const { return open_->file.text(group, name); }

bool has_group(const std::filesystem::path& file, const std::string& group) {
  const QuietHdf5 quiet;
  if (!std::filesystem::is_regular_file(file) || H5Fis_hdf5(file.c_str()) <= 0) return false;
  const Hdf5File opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!opened.valid()) return false;
  refuse_links_out(opened, file);
  for (std::size_t end = group.find('/', 1);; end = group.find('/', end + 1)) {  // HDF5 needs a query for each level
    if (H5Lexists(opened.raw(), group.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

}  // namespace brisance::io
