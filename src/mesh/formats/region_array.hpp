/// Chooses the cell array of a VTU that gives the regions.
#pragma once

#include "mesh/formats/vtk_xml.hpp"

#include <filesystem>
#include <string>

namespace brisance::mesh {

/// Name of the cell array of regions: `region`, else the first of the names that other programs use for physical groups
/// or materials, if it holds one whole number for each cell; the log says which. Empty if there is none. Throws
/// core::Error where an array cannot be read. Local.
[[nodiscard]] std::string region_array(const VtkXml& vtk, const pugi::xml_node& grid,
                                       const std::filesystem::path& file);

}  // namespace brisance::mesh
