#include "brisance/mesh/formats/write_vtu.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/fresh_file.hpp"

#include <bit>
#include <fstream>

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

namespace brisance::mesh {
namespace {

constexpr std::uint8_t kVtkTetra = 10;

std::string escaped(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

/// The tree of the file and, after it, the bytes of its arrays: [length as UInt64] data, array after array.
class VtuText {
public:
  void line(std::string_view text) { xml_ += fmt::format("{}\n", text); }

  template <class T>
  void array(std::string_view name, std::string_view type, int components, std::span<const T> values) {
    line(fmt::format(R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)", type,
                     escaped(name), components, appended_.size()));
    const std::uint64_t length = values.size_bytes();
    appended_.append(reinterpret_cast<const char*>(&length), sizeof length);
    appended_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  void vectors(std::string_view name, const std::vector<Vec3>& values) {
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    array(name, "Float64", 3, std::span(reinterpret_cast<const double*>(values.data()), 3 * values.size()));
  }
  [[nodiscard]] const std::string& xml() const { return xml_; }
  [[nodiscard]] const std::string& appended() const { return appended_; }

private:
  std::string xml_, appended_;
};

void add_fields(VtuText& vtu, std::span<const NamedArray> arrays, std::size_t count,
                const std::filesystem::path& file) {
  for (const auto& array : arrays) {
    if (array.components < 1 || array.values.size() != count * static_cast<std::size_t>(array.components))
      throw core::Error(
          fmt::format("{}: array '{}' has {} numbers where {} entities need {} each. Nothing was written.",
                      file.string(), array.name, array.values.size(), count, array.components));
    vtu.array(array.name, "Float64", array.components, array.values);
  }
}

/// The groups' names as VTK stores texts: the code of each byte, with a zero at the end.
void add_group_names(VtuText& vtu, const Groups& groups) {
  std::string codes;
  for (const auto& names : groups.names) {
    for (const char c : to_text(names)) codes += fmt::format("{} ", static_cast<unsigned char>(c));
    codes += "0 ";
  }
  vtu.line("<FieldData>");
  vtu.line(
      fmt::format(R"(<DataArray type="String" Name="group_names" NumberOfTuples="{}" format="ascii">{}</DataArray>)",
                  groups.names.size(), codes));
  vtu.line("</FieldData>");
}

void add_cells(VtuText& vtu, const TetMesh& mesh) {
  std::vector<std::int64_t> offsets;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) offsets.push_back(4 * static_cast<std::int64_t>(t + 1));
  const std::vector<std::uint8_t> types(mesh.tets.size(), kVtkTetra);
  const std::int32_t* corners = mesh.tets.empty() ? nullptr : mesh.tets[0].data();
  vtu.line("<Cells>");
  vtu.array("connectivity", "Int32", 1, std::span(corners, 4 * mesh.tets.size()));
  vtu.array("offsets", "Int64", 1, std::span<const std::int64_t>(offsets));
  vtu.array("types", "UInt8", 1, std::span<const std::uint8_t>(types));
  vtu.line("</Cells>");
}

/// Writes under a temporary name beside the file, then renames: a reader gets the whole file or none.
void write_complete(const std::filesystem::path& file, const VtuText& vtu) {
  const auto temporary = std::filesystem::path(file).concat(fmt::format(".{}.tmp", getpid()));
  std::ofstream stream;
  stream.setstate(std::ios::failbit);
  if (core::make_fresh_file(temporary)) stream.open(temporary, std::ios::binary);
  stream << vtu.xml() << "<AppendedData encoding=\"raw\">\n_" << vtu.appended() << "\n</AppendedData>\n</VTKFile>\n";
  stream.close();
  std::error_code status;
  if (stream) std::filesystem::rename(temporary, file, status);
  if (!stream || status) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw core::Error(fmt::format(
        "{}: cannot be written. Check that the folder exists, may be written to and has space.", file.string()));
  }
}

}  // namespace

void write_vtu(const std::filesystem::path& file, const TetMesh& mesh, std::span<const NamedArray> point_arrays,
               std::span<const NamedArray> cell_arrays) {
  VtuText vtu;
  const char* order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  vtu.line(R"(<?xml version="1.0"?>)");
  vtu.line(
      fmt::format(R"(<VTKFile type="UnstructuredGrid" version="1.0" byte_order="{}" header_type="UInt64">)", order));
  vtu.line("<UnstructuredGrid>");
  if (!mesh.groups.empty()) add_group_names(vtu, mesh.groups);
  vtu.line(fmt::format(R"(<Piece NumberOfPoints="{}" NumberOfCells="{}">)", mesh.nodes.size(), mesh.tets.size()));
  vtu.line("<PointData>");
  if (!mesh.displacement.empty()) vtu.vectors("displacement", mesh.displacement);
  if (!mesh.velocity.empty()) vtu.vectors("velocity", mesh.velocity);
  add_fields(vtu, point_arrays, mesh.nodes.size(), file);
  vtu.line("</PointData>\n<CellData>");
  if (!mesh.region.empty()) vtu.array("region", "Int32", 1, std::span<const std::int32_t>(mesh.region));
  if (!mesh.group.empty()) vtu.array("group", "Int32", 1, std::span<const std::int32_t>(mesh.group));
  add_fields(vtu, cell_arrays, mesh.tets.size(), file);
  vtu.line("</CellData>\n<Points>");
  vtu.vectors("Points", mesh.nodes);
  vtu.line("</Points>");
  add_cells(vtu, mesh);
  vtu.line("</Piece>\n</UnstructuredGrid>");
  write_complete(file, vtu);
}

}  // namespace brisance::mesh
