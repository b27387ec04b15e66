#include "brisance/core/error.hpp"

#include "mesh/solids/cgal_mesh.hpp"
#include "mesh/solids/corefinement.hpp"
#include "mesh/solids/operations.hpp"

#include <numeric>
#include <optional>

namespace brisance::mesh::solids {

Surface unite(std::span<const Surface> parts) {
  CgalMesh whole = as_cgal(parts.front());
  for (const Surface& part : parts.subspan(1)) {
    std::optional<CgalMesh> joined = united(std::move(whole), as_cgal(part));
    if (!joined)
      throw core::Error("Parts of a shape touch in an edge or a corner alone. Change its dimensions a little.");
    whole = *std::move(joined);
  }
  whole.collect_garbage();
  Surface surface = as_surface(whole);
  surface.source_face.resize(surface.triangles.size());
  std::iota(surface.source_face.begin(), surface.source_face.end(), 0);
  return surface;
}

}  // namespace brisance::mesh::solids
