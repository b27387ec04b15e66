/// The cutter that leaves tets whole.
#pragma once

#include "brisance/fracture/cutters/cutter.hpp"

namespace brisance::fracture {

/// Fields that such a mesh has beside those of others: dist::division_fields and kFrontOffset. Local.
[[nodiscard]] dist::FieldList virtual_node_fields();

/// Virtual nodes by partitions (Molino, Bao and Fedkiw 2004): a crack divides the vertices of tets into blocks; each
/// block has a copy of the tet with the material around its vertices, and copies have common nodes where material
/// connects them. Only real nodes fail. Mass, momentum, angular momentum and energy do not change by a cut. The mesh
/// has the fields of dist/division.hpp.
///
/// Fronts (fronts.hpp) are those of cracks, which end inside the star of a vertex and off it (kFrontOffset); at
/// vertices that no crack divides slits of the uncut mesh.
[[nodiscard]] std::unique_ptr<Cutter> make_virtual_node_cutter(const Parameters& parameters);

}  // namespace brisance::fracture
