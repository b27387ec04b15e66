#include "mesh/unite.hpp"

#include "brisance/core/error.hpp"

#include "mesh/cgal_mesh.hpp"
#include "mesh/corefinement.hpp"

#include <numeric>
#include <optional>

namespace brisance::mesh {

Surface unite(std::span<const Surface> solids) {
  CgalMesh whole = as_cgal(solids.front());
  for (const Surface& solid : solids.subspan(1)) {
    std::optional<CgalMesh> joined = united(std::move(whole), as_cgal(solid));
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

}  // namespace brisance::mesh
