#include "brisance/mesh/limits.hpp"
#include "brisance/mesh/tets/connected_parts.hpp"

#include "mesh/formats/file_bytes.hpp"
#include "mesh/formats/join_pieces.hpp"
#include "mesh/formats/region_array.hpp"
#include "mesh/formats/sample_readers.hpp"
#include "mesh/formats/tet_soup.hpp"
#include "mesh/formats/vtk_xml.hpp"

#include <algorithm>
#include <cmath>

#include <spdlog/fmt/ranges.h>
#include <spdlog/spdlog.h>

namespace brisance::mesh {
namespace {

constexpr int kVtkTetra = 10, kFirstVtkSolid = 10, kLastLinearSolid = 14;

/// The DataArray of that name below a section; an empty node if there is none.
pugi::xml_node named_array(const pugi::xml_node& section, const char* name) {
  return section.find_child_by_attribute("DataArray", "Name", name);
}

std::vector<double> required_numbers(const VtkXml& vtk, const pugi::xml_node& section, const pugi::xml_node& array,
                                     const char* what) {
  if (!array) vtk.fail(section, fmt::format("{} are missing. Export the file again.", what));
  return vtk.numbers(array);
}

/// The points of an array of 3 components, `count` of them, all within the limits of lengths.
std::vector<Vec3> to_vectors(const VtkXml& vtk, const pugi::xml_node& array, std::size_t count, const char* what) {
  const std::vector<double> values = vtk.numbers(array);
  if (values.size() % 3 != 0 || values.size() / 3 != count)
    vtk.fail(array, fmt::format("{} has {} numbers where {} points need 3 each. Export the file again.", what,
                                values.size(), count));
  std::vector<Vec3> vectors(count);
  for (std::size_t i = 0; i < count; ++i) {
    vectors[i] = Vec3(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
    if (!is_place(vectors[i]))
      vtk.fail(array,
               fmt::format("{} of point {} (counted from 0) is ({:.3g}); none beyond {:g} is taken. Export the file "
                           "again, in metres.",
                           what, i, fmt::join(vectors[i], ", "), kLargestLength_m));
  }
  return vectors;
}

/// Appends an optional point field; pieces without it count as zero.
void append_field(const VtkXml& vtk, const pugi::xml_node& piece, const char* name, std::size_t first,
                  std::size_t count, std::vector<Vec3>& field) {
  const pugi::xml_node array = named_array(piece.child("PointData"), name);
  if (!array && field.empty()) return;
  field.resize(first, Vec3::Zero());
  const auto values = array ? to_vectors(vtk, array, count, name) : std::vector<Vec3>(count, Vec3::Zero());
  field.insert(field.end(), values.begin(), values.end());
}

/// The finite numbers of an array of one component.
std::vector<double> to_scalars(const VtkXml& vtk, const pugi::xml_node& array, std::size_t count,
                               const std::string& name, const char* each) {
  std::vector<double> values = vtk.numbers(array);
  if (values.size() != count) vtk.fail(array, fmt::format("{} needs one number a {}.", name, each));
  if (!std::ranges::all_of(values, [](double v) { return std::isfinite(v); }))
    vtk.fail(array, fmt::format("{} holds a number that is not finite. Export the file again.", name));
  return values;
}

/// Appends a wanted field of the points, or of the tets among the piece's cells.
/// @param cells  indices of its tets in the piece
void append_scalars(const VtkXml& vtk, const pugi::xml_node& piece, std::size_t num_points,
                    std::span<const std::int64_t> cells, std::size_t num_cells, bool is_first, ScalarField& field) {
  const pugi::xml_node on_points = named_array(piece.child("PointData"), field.name.c_str());
  const pugi::xml_node on_cells = named_array(piece.child("CellData"), field.name.c_str());
  if (on_points && on_cells)
    vtk.fail(on_points, fmt::format("{} is a field of points and of cells; leave one out.", field.name));
  if (!on_points && !on_cells)
    vtk.fail(piece, fmt::format("the piece has no point or cell array '{}'. Save the file with it.", field.name));
  if (is_first) field.on_nodes = static_cast<bool>(on_points);
  if (field.on_nodes != static_cast<bool>(on_points))
    vtk.fail(piece, fmt::format("{} is a field of points in one piece and of cells in another.", field.name));
  if (field.on_nodes) {
    const auto values = to_scalars(vtk, on_points, num_points, field.name, "point");
    field.values.insert(field.values.end(), values.begin(), values.end());
  } else {
    const auto values = to_scalars(vtk, on_cells, num_cells, field.name, "cell");
    for (const std::int64_t cell : cells) field.values.push_back(values[static_cast<std::size_t>(cell)]);
  }
}

/// Is each cell a copy of one that another piece owns, or hidden?
std::vector<char> ghost_cells(const VtkXml& vtk, const pugi::xml_node& piece, std::size_t num_cells) {
  constexpr int kDuplicate = 1, kHidden = 32;
  std::vector<char> is_ghost(num_cells, 0);
  for (const char* name : {"vtkGhostType", "vtkGhostLevels"}) {
    const pugi::xml_node array = named_array(piece.child("CellData"), name);
    if (!array) continue;
    const std::vector<double> values = vtk.numbers(array);
    if (values.size() != num_cells)
      vtk.fail(array, fmt::format("{} needs one number a cell. Export the file again.", name));
    const bool is_levels = std::string_view(name) == "vtkGhostLevels";
    for (std::size_t cell = 0; cell < num_cells; ++cell) {
      const int flags = values[cell] >= 0 && values[cell] < 256 ? static_cast<int>(values[cell]) : 0;
      if (is_levels ? values[cell] > 0 : (flags & (kDuplicate | kHidden)) != 0) is_ghost[cell] = 1;
    }
  }
  return is_ghost;
}

/// Appends the piece's tets; corners out of range become −1.
/// @param region_name  cell array of regions; empty for none
/// @return number of cells in the piece
std::size_t append_cells(const VtkXml& vtk, const pugi::xml_node& piece, std::size_t first_node,
                         const std::string& region_name, TetSoup& soup) {
  const pugi::xml_node cells = piece.child("Cells");
  const auto corners =
      required_numbers(vtk, piece, named_array(cells, "connectivity"), "the cells' corners (connectivity)");
  const auto offsets = required_numbers(vtk, piece, named_array(cells, "offsets"), "the cells' offsets");
  const auto types = required_numbers(vtk, piece, named_array(cells, "types"), "the cells' types");
  if (offsets.size() != types.size()) vtk.fail(cells, "offsets and types differ in length. Export the file again.");
  const pugi::xml_node region_array =
      region_name.empty() ? pugi::xml_node() : named_array(piece.child("CellData"), region_name.c_str());
  const auto regions = region_array ? vtk.numbers(region_array) : std::vector<double>(types.size(), 0);
  if (regions.size() != types.size()) vtk.fail(region_array, "region needs one number a cell. Export the file again.");
  const std::vector<char> is_ghost = ghost_cells(vtk, piece, types.size());

  for (std::size_t cell = 0; cell < types.size(); ++cell) {
    if (types[cell] > kVtkTetra && types[cell] <= kLastLinearSolid)
      vtk.fail(cells, fmt::format("cell {} has VTK type {}; only tets (10) are read. Mesh the body with tets.", cell,
                                  types[cell]));
    if (types[cell] > kLastLinearSolid)
      vtk.fail(cells,
               fmt::format("cell {} has VTK type {}, which is not a linear one. Save linear tets.", cell, types[cell]));
    if (types[cell] < kFirstVtkSolid || is_ghost[cell] != 0) continue;
    if (types[cell] != kVtkTetra) vtk.fail(cells, fmt::format("cell {} has no VTK type. Export the file again.", cell));
    const double begin = cell == 0 ? 0 : offsets[cell - 1];
    if (!(begin >= 0) || offsets[cell] != begin + 4 || offsets[cell] > static_cast<double>(corners.size()))
      vtk.fail(cells, fmt::format("cell {} is a tet without exactly 4 corners. Export the file again.", cell));
    std::array<std::int64_t, 4> tet{};
    for (int i = 0; i < 4; ++i) {
      const double corner = corners[static_cast<std::size_t>(begin) + i];
      const bool valid = corner >= 0 && corner < static_cast<double>(soup.nodes.size() - first_node);
      tet[i] = valid ? static_cast<std::int64_t>(corner) + static_cast<std::int64_t>(first_node) : -1;
    }
    if (!(std::abs(regions[cell]) <= 1e9) || regions[cell] != std::floor(regions[cell]))
      vtk.fail(region_array,
               fmt::format("region of cell {} is not a whole number within 1e9. Number the regions.", cell));
    soup.tets.push_back(tet);
    soup.places.push_back(static_cast<std::int64_t>(cell));
    soup.region.push_back(static_cast<std::int32_t>(regions[cell]));
  }
  return types.size();
}

/// Appends the global ids that identify common points of pieces, if the piece has them.
void append_global_ids(const VtkXml& vtk, const pugi::xml_node& piece, std::size_t count,
                       std::vector<std::int64_t>& ids) {
  const pugi::xml_node data = piece.child("PointData");
  pugi::xml_node array = named_array(data, data.attribute("GlobalIds").as_string());
  for (const char* name : {"GlobalNodeId", "GlobalNodeIds", "GlobalPointIds", "GlobalIds"})
    if (!array) array = named_array(data, name);
  if (!array) return;
  const std::vector<double> values = vtk.numbers(array);
  if (values.size() != count) vtk.fail(array, "global ids need one number a point. Export the file again.");
  for (const double value : values) ids.push_back(std::abs(value) < 0x1p53 ? static_cast<std::int64_t>(value) : -1);
}

void append_piece(const VtkXml& vtk, const pugi::xml_node& piece, const std::string& region_name, TetSoup& soup,
                  PieceStarts& starts) {
  const std::size_t first = soup.nodes.size();
  starts.nodes.push_back(first);
  starts.tets.push_back(soup.tets.size());
  const auto count = static_cast<std::size_t>(piece.attribute("NumberOfPoints").as_ullong());
  const pugi::xml_node array = piece.child("Points").child("DataArray");
  if (!array) vtk.fail(piece, "the piece has no Points. Export the file again.");
  const auto points = to_vectors(vtk, array, count, "the position");
  soup.nodes.insert(soup.nodes.end(), points.begin(), points.end());
  append_global_ids(vtk, piece, count, starts.global_ids);
  append_field(vtk, piece, "displacement", first, count, soup.displacement);
  append_field(vtk, piece, "velocity", first, count, soup.velocity);
  const std::size_t first_tet = soup.tets.size(), num_cells = append_cells(vtk, piece, first, region_name, soup);
  for (ScalarField& field : soup.scalars)
    append_scalars(vtk, piece, count, std::span(soup.places).subspan(first_tet), num_cells, first == 0, field);
}

/// Warns about pieces that could not be joined into one body, which separate at once.
void warn_of_parts(const TetMesh& mesh, std::size_t num_pieces, const std::filesystem::path& file) {
  const std::int64_t num_parts = num_pieces > 1 ? num_connected_parts(mesh) : 1;
  if (num_parts > 1)
    spdlog::warn(
        "{}: its {} pieces make {} bodies that share no point. If they are one, save the mesh as one piece, or with "
        "exactly equal points where pieces meet.",
        file.string(), num_pieces, num_parts);
}

}  // namespace

TetMesh read_vtu(const std::filesystem::path& file, TetReadReport& report, std::span<const std::string> scalars) {
  const std::string bytes = read_whole_file(file);
  const VtkXml vtk(file, bytes);
  const pugi::xml_node grid = vtk.root().child("UnstructuredGrid");
  if (!grid) vtk.fail(vtk.root(), "no UnstructuredGrid. Save the mesh as a VTK unstructured grid (.vtu).");
  TetSoup soup;
  PieceStarts starts;
  for (const std::string& name : scalars) soup.scalars.push_back({name, false, {}});
  const std::string region_name = region_array(vtk, grid, file);
  for (const pugi::xml_node& piece : grid.children("Piece")) append_piece(vtk, piece, region_name, soup, starts);
  join_pieces(soup, starts, file);
  name_by_region(soup);
  TetMesh mesh = to_tet_mesh(
      std::move(soup), file,
      [&](std::int64_t cell, std::string_view message) { vtk.fail(grid, fmt::format("cell {}: {}", cell, message)); },
      report);
  warn_of_parts(mesh, starts.nodes.size(), file);
  return mesh;
}

Samples read_vtu_samples(const std::filesystem::path& file, std::string_view bytes, const std::string& name) {
  const VtkXml vtk(file, bytes);
  Samples samples;
  for (const pugi::xml_node& piece : vtk.root().child("UnstructuredGrid").children("Piece")) {
    const auto count = static_cast<std::size_t>(piece.attribute("NumberOfPoints").as_ullong());
    const pugi::xml_node points = piece.child("Points").child("DataArray");
    const pugi::xml_node array = named_array(piece.child("PointData"), name.c_str());
    if (!points) vtk.fail(piece, "the piece has no Points. Export the file again.");
    if (!array) vtk.fail(piece, fmt::format("the piece has no point array '{}'. Save the file with it.", name));
    const auto vectors = to_vectors(vtk, points, count, "the position");
    const auto values = to_scalars(vtk, array, count, name, "point");
    samples.points.insert(samples.points.end(), vectors.begin(), vectors.end());
    samples.values.insert(samples.values.end(), values.begin(), values.end());
  }
  if (samples.points.empty()) vtk.fail(vtk.root(), "no points. Save a VTK unstructured grid (.vtu).");
  return samples;
}

}  // namespace brisance::mesh
