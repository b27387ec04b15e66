/// Reference surfaces of the objects, on every rank, onto which a refined mesh moves its boundary.
#pragma once

#include "brisance/dist/distribute.hpp"
#include "brisance/mesh/generate/reference_shape.hpp"

#include <string>
#include <vector>

namespace brisance::sim {

class ReferenceSurfaces {
public:
  /// Broadcasts the references of the meshes made on rank 0; they are as large as the files' surfaces. Collective.
  ReferenceSurfaces(const core::Comm& comm, const dist::MeshShare& share);

  [[nodiscard]] bool empty() const { return shapes_.empty(); }
  /// The displacement of an edge's midpoint onto the reference; empty if there is none. Valid as long as this object.
  [[nodiscard]] dist::WayOfMiddle way_of_middle() const;
  /// A sentence for the log: how many midpoints moved, and the error of the bodies' volume against the references'
  /// before and after. Collective.
  [[nodiscard]] std::string report(const dist::Mesh& mesh, int refinements,
                                   const dist::RefinementReport& middles) const;

private:
  [[nodiscard]] const mesh::ReferenceShape* shape_of(std::int64_t tet) const;

  std::vector<mesh::ReferenceShape> shapes_;  ///< by ascending tets
  double volume_before_m3_ = 0;               ///< of tets that have a reference
};

}  // namespace brisance::sim
