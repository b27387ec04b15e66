/// The size of every array is known beforehand, and so is the position of every row: rank 0 writes the XML around them
/// and reserves the disk space, then all ranks write their rows in one collective call for each array.
#include "brisance/io/grid.hpp"

#include "brisance/core/error.hpp"

#include "io/posix_file.hpp"
#include "io/write_together.hpp"

#include <bit>
#include <span>

#include <spdlog/fmt/fmt.h>

namespace brisance::io {

namespace {

constexpr std::uint8_t kVtkTetra = 10;
constexpr std::string_view kTrailer = "\n</AppendedData>\n</VTKFile>\n";

/// One array of the file and this rank's rows of it.
struct Column {
  std::string name, type;
  int components;
  std::span<const std::byte> rows;
  std::span<const std::int64_t> ids;
  std::int64_t row_bytes;
  std::int64_t total_rows;
  std::int64_t offset = 0;  ///< relative to the end of the underscore that starts the appended data
  [[nodiscard]] std::uint64_t total_bytes() const { return static_cast<std::uint64_t>(row_bytes * total_rows); }
};

/// The file's columns in order, and the XML that describes them. The same on all ranks but for rows and ids.
class Layout {
public:
  Layout(const core::Comm& comm, const GridPart& part)
      : num_points_(comm.sum(static_cast<std::int64_t>(part.point_id.size()))),
        num_cells_(comm.sum(static_cast<std::int64_t>(part.cell_id.size()))),
        part_(part) {
    for (std::int64_t id : part.cell_id) cell_ends_.push_back(4 * (id + 1));
    cell_types_.assign(part.cell_id.size(), kVtkTetra);
    describe();
  }

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  [[nodiscard]] const std::string& xml() const { return xml_; }
  /// Position of a column's length field in the file; its rows follow.
  [[nodiscard]] std::int64_t position(const Column& column) const {
    return static_cast<std::int64_t>(xml_.size()) + column.offset;
  }
  [[nodiscard]] std::int64_t trailer_position() const { return static_cast<std::int64_t>(xml_.size()) + appended_; }

private:
  void line(std::string_view text) { xml_ += fmt::format("{}\n", text); }

  template <class T>
  void array(const std::string& name, const char* type, int components, const std::vector<T>& values, bool of_points) {
    Column column{name,
                  type,
                  components,
                  std::as_bytes(std::span(values)),
                  of_points ? part_.point_id : part_.cell_id,
                  components * static_cast<std::int64_t>(sizeof(T)),
                  of_points ? num_points_ : num_cells_};
    if constexpr (!std::is_arithmetic_v<T>) column.row_bytes = sizeof(T);  // a row is one Vec3 or one tet
    column.offset = appended_;
    appended_ += static_cast<std::int64_t>(sizeof(std::uint64_t) + column.total_bytes());
    line(fmt::format(R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)", type,
                     name, components, column.offset));
    columns_.push_back(column);
  }

  void describe() {
    const char* order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
    line(R"(<?xml version="1.0"?>)");
    line(fmt::format(R"(<VTKFile type="UnstructuredGrid" version="1.0" byte_order="{}" header_type="UInt64">)", order));
    line(
        fmt::format("<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">", num_points_, num_cells_));
    line("<PointData>");
    for (const GridArray& a : part_.point_arrays) array(a.name, "Float64", a.components, a.values, true);
    line("</PointData>\n<CellData>");
    for (const GridArray& a : part_.cell_arrays) array(a.name, "Float64", a.components, a.values, false);
    line("</CellData>\n<Points>");
    array("Points", "Float64", 3, part_.points, true);
    line("</Points>\n<Cells>");
    array("connectivity", "Int64", 1, part_.tets, false);
    array("offsets", "Int64", 1, cell_ends_, false);
    array("types", "UInt8", 1, cell_types_, false);
    line("</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">");
    xml_ += '_';
  }

  std::int64_t num_points_, num_cells_, appended_ = 0;
  const GridPart& part_;
  std::vector<std::int64_t> cell_ends_;
  std::vector<std::uint8_t> cell_types_;
  std::vector<Column> columns_;
  std::string xml_;
};

void write_at(const PosixFile& file, std::int64_t position, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file.raw(), bytes.data(), bytes.size(), position);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw system_error("write", path, kDiskAdvice);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    position += written;
  }
}

/// Writes the complete file without the rows. Local, on rank 0.
void lay_out(const std::filesystem::path& path, const Layout& layout) {
  require_fresh(path);
  reserve_space(path, static_cast<std::uint64_t>(layout.trailer_position()) + kTrailer.size());
  const PosixFile file(path, O_WRONLY);
  write_at(file, 0, layout.xml(), path);
  for (const Column& column : layout.columns()) {
    const std::uint64_t length = column.total_bytes();
    write_at(file, layout.position(column), {reinterpret_cast<const char*>(&length), sizeof length}, path);
  }
  write_at(file, layout.trailer_position(), kTrailer, path);
}

void check_lengths(const Layout& layout) {
  for (const Column& column : layout.columns())
    if (column.rows.size() != column.ids.size() * static_cast<std::size_t>(column.row_bytes))
      throw core::Error("array '" + column.name + "' has a wrong length (a fault of the program, please report)");
}

void check(int status, const std::filesystem::path& path) {
  if (status == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> reason{};
  int length = 0;
  MPI_Error_string(status, reason.data(), &length);
  throw core::Error("cannot write " + path.string() + ": " + reason.data() + ". " + kDiskAdvice);
}

/// Writes this rank's rows of a column at the positions given by their ids. Collective; returns MPI's status.
int write_rows(MPI_File file, std::int64_t position, const Column& column) {
  std::vector<MPI_Aint> places;
  for (std::int64_t id : column.ids) places.push_back(id * column.row_bytes);
  MPI_Datatype row, rows;
  MPI_Type_contiguous(static_cast<int>(column.row_bytes), MPI_BYTE, &row);
  MPI_Type_create_hindexed_block(static_cast<int>(places.size()), 1, places.data(), row, &rows);
  MPI_Type_commit(&row);
  MPI_Type_commit(&rows);
  int status = MPI_File_set_view(file, position, MPI_BYTE, rows, "native", MPI_INFO_NULL);
  if (status == MPI_SUCCESS)
    status = MPI_File_write_all(file, column.rows.data(), static_cast<int>(places.size()), row, MPI_STATUS_IGNORE);
  MPI_Type_free(&rows);
  MPI_Type_free(&row);
  return status;
}

/// Every rank fills in its rows. Collective; throws core::Error on all ranks.
void fill(const core::Comm& comm, const std::filesystem::path& path, const Layout& layout) {
  MPI_File file = MPI_FILE_NULL;
  int status = MPI_File_open(comm.raw(), path.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  core::agree(comm, [&] { check(status, path); });
  for (const Column& column : layout.columns()) {
    const int written =
        write_rows(file, layout.position(column) + static_cast<std::int64_t>(sizeof(std::uint64_t)), column);
    if (status == MPI_SUCCESS) status = written;
  }
  const int closed = MPI_File_close(&file);
  if (status == MPI_SUCCESS) status = closed;
  core::agree(comm, [&] { check(status, path); });
}

}  // namespace

void write_grid(const core::Comm& comm, const std::filesystem::path& file, const GridPart& part) {
  const Layout layout(comm, part);
  core::agree(comm, [&] { check_lengths(layout); });
  write_together(
      comm, file, [&](const std::filesystem::path& temporary) { lay_out(temporary, layout); },
      [&](const std::filesystem::path& temporary) { fill(comm, temporary, layout); });
}

}  // namespace brisance::io
