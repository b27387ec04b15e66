/// Scalar fields of a Gmsh file.
#pragma once

#include "mesh/formats/gmsh_file.hpp"

namespace brisance::mesh::gmsh {

/// $NodeData or $ElementData: names, reals, integers (step, components, how many), then a number and a value a line.
/// Kept if its name is wanted. To be called at the line with the section's name. Throws core::Error with the line.
void read_data(GmshFile& gmsh, bool on_nodes);

/// Throws core::Error if a wanted field is missing, or stands before what it belongs to.
void require_scalars(const GmshFile& gmsh);

}  // namespace brisance::mesh::gmsh
