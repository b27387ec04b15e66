/// Elements of a Gmsh file in several physical groups.
#pragma once

#include "mesh/formats/gmsh_file.hpp"

#include <cstdint>
#include <string>

namespace brisance::mesh::gmsh {

/// Warns about elements in several physical groups: says which one is the region.
void warn_of_several_groups(const GmshFile& gmsh, std::int64_t count, int dimension, const std::string& groups,
                            const std::string& first);

/// Merge elements of equal corners in several groups: format 2 holds an element once for each of its physical groups.
/// The first keeps its region and gets all their names; duplicates within one group are left for the checks of the
/// mesh.
void merge_doubled_elements(GmshFile& gmsh);
void merge_doubled_triangles(GmshFile& gmsh);

}  // namespace brisance::mesh::gmsh
