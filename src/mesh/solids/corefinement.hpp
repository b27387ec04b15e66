/// Union and intersection of solids, as CGAL meshes whose triangles know their origin. Only for sources of this module.
/// Both are in one unit because they are instances of the same templates, which take half a minute to compile.
#pragma once

#include "mesh/solids/cgal_mesh.hpp"

#include <cstdint>
#include <optional>

namespace brisance::mesh::solids {

/// Origin of a triangle of the result; inherited by the parts of a triangle that is cut.
struct Origin {
  bool from_body = false;
  std::int32_t triangle = -1;
};
using OriginMap = CgalMesh::Property_map<CgalMesh::Face_index, Origin>;

/// The origins of a mesh; Origin{} throughout if it has none yet.
[[nodiscard]] OriginMap origins(CgalMesh& mesh);

/// The union of two closed, outward surfaces free of self-intersections; nothing if it is not manifold. Local.
[[nodiscard]] std::optional<CgalMesh> united(CgalMesh first, CgalMesh second);

/// Their intersection; nothing if it is not manifold or if one touches itself on their intersection. Local.
[[nodiscard]] std::optional<CgalMesh> common_part(CgalMesh first, CgalMesh second);

}  // namespace brisance::mesh::solids
