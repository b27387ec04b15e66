#include "mesh/formats/region_array.hpp"

#include "mesh/formats/file_kind.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>
#include <vector>

#include <spdlog/spdlog.h>

namespace brisance::mesh {
namespace {

constexpr const char* kOurs = "region";
constexpr double kLargestRegion = 1e9;

/// Compared in lower case, without underscores: names by Gmsh and Medit by way of meshio, VTK, MOOSE and libMesh,
/// Exodus, MFEM.
constexpr std::array<std::string_view, 15> kOthers{"region",      "gmsh:physical", "medit:ref",   "cellentityids",
                                                   "physicalids", "physical",      "materialids", "materialid",
                                                   "material",    "matid",         "subdomainid", "elementblockids",
                                                   "blockid",     "celltags",      "attribute"};

std::string plain(std::string_view name) {
  std::string result;
  for (const char c : name)
    if (c != '_' && c != ' ') result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool holds_regions(const VtkXml& vtk, const pugi::xml_node& array) {
  if (std::string_view(array.attribute("type").as_string()) == "String" ||
      array.attribute("NumberOfComponents").as_int(1) != 1)
    return false;
  return std::ranges::all_of(vtk.numbers(array), [](double region) {
    return std::abs(region) <= kLargestRegion && region == std::floor(region);
  });
}

/// The name as spelled in some piece, if all arrays of it hold regions; empty otherwise.
std::string usable_name(const VtkXml& vtk, const pugi::xml_node& grid, std::string_view wanted,
                        const std::filesystem::path& file) {
  std::string name;
  for (const pugi::xml_node& piece : grid.children("Piece"))
    for (const pugi::xml_node& array : piece.child("CellData").children("DataArray")) {
      const std::string_view here = array.attribute("Name").as_string();
      if (plain(here) != wanted) continue;
      if (!holds_regions(vtk, array)) {
        spdlog::info("{}: the cell array '{}' does not hold one whole number a cell; no regions are taken from it.",
                     file.string(), shown(here));
        return {};
      }
      name = here;
    }
  return name;
}

}  // namespace

std::string region_array(const VtkXml& vtk, const pugi::xml_node& grid, const std::filesystem::path& file) {
  for (const pugi::xml_node& piece : grid.children("Piece"))
    if (piece.child("CellData").find_child_by_attribute("DataArray", "Name", kOurs)) return kOurs;
  for (const std::string_view other : kOthers) {
    const std::string name = usable_name(vtk, grid, other, file);
    if (name.empty()) continue;
    spdlog::info("{}: the cell array '{}' gives the regions of the tets.", file.string(), shown(name));
    return name;
  }
  return {};
}

}  // namespace brisance::mesh
