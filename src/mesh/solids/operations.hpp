/// Operations of brisance-solids: the heavy half of CGAL. The functions of the same names in brisance::mesh run them in
/// the child process (solids_child.hpp) and are documented there.
#pragma once

#include "brisance/mesh/surface/remesh.hpp"
#include "brisance/mesh/surface/repair.hpp"
#include "brisance/mesh/surface/solidify.hpp"
#include "brisance/mesh/tets/intersect.hpp"

#include "mesh/surface/offset_cage.hpp"

#include <span>
#include <vector>

namespace brisance::mesh::solids {

[[nodiscard]] Surface remesh(const Surface& surface, const RemeshOptions& options, RemeshReport& report);
[[nodiscard]] double hausdorff_distance_m(const Surface& a, const Surface& b, double spacing_m);
[[nodiscard]] Surface wrap(const Surface& surface, double relative_alpha, double relative_offset, WrapReport& report);
[[nodiscard]] Surface unite(std::span<const Surface> parts);
[[nodiscard]] std::vector<PieceSurface> intersect(const PieceSurface& piece, const Surface& body);
[[nodiscard]] Surface solidify(const Surface& surface, SolidifyReport& report);
[[nodiscard]] Surface offset_cage(const Surface& surface, double edge_m, OffsetCageReport& report);

}  // namespace brisance::mesh::solids
