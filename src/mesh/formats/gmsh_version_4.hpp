/// Sections of Gmsh files of version 4.1, where elements stand in blocks of an entity, which has the physical groups.
#pragma once

#include "mesh/formats/gmsh_file.hpp"

namespace brisance::mesh::gmsh {

/// To be called at the line with the section's name. Throw core::Error with the line.
void read_entities_4(GmshFile& gmsh);
/// Entities made by gmsh -part, to which elements belong. One that lists no groups has its parent's.
void read_partitioned_entities_4(GmshFile& gmsh);
void read_nodes_4(GmshFile& gmsh);
void read_elements_4(GmshFile& gmsh);

}  // namespace brisance::mesh::gmsh
