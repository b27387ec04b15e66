/// Sections of Gmsh files of version 2.2, where an element has its physical group itself.
#pragma once

#include "mesh/formats/gmsh_file.hpp"

namespace brisance::mesh::gmsh {

/// To be called at the line with the section's name. Throw core::Error with the line.
void read_nodes_2(GmshFile& gmsh);
void read_elements_2(GmshFile& gmsh);

}  // namespace brisance::mesh::gmsh
