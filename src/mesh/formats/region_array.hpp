/// Which cell array of a VTU gives the regions.
#pragma once

#include "mesh/formats/vtk_xml.hpp"

#include <filesystem>
#include <string>

namespace brisance::mesh {

/// Name of the cell array of regions: `region`, else the first of those by which other programs give physical groups or
/// materials, if it holds one whole number a cell; the log says which. Empty if there is none. Throws core::Error where
/// an array cannot be read. Local.
[[nodiscard]] std::string region_array(const VtkXml& vtk, const pugi::xml_node& grid,
                                       const std::filesystem::path& file);

}  // namespace brisance::mesh
