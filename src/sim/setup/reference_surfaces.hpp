/// What a refined mesh follows: the surfaces that its objects stand for, on every rank.
#pragma once

#include "brisance/dist/distribute.hpp"
#include "brisance/mesh/generate/reference_shape.hpp"

#include <string>
#include <vector>

namespace brisance::sim {

class ReferenceSurfaces {
public:
  /// Of what was made on rank 0, whose references all ranks get: as large as the files' surfaces. Collective.
  ReferenceSurfaces(const core::Comm& comm, const dist::MeshShare& share);

  [[nodiscard]] bool empty() const { return shapes_.empty(); }
  /// Empty where there is none. Valid as long as this is.
  [[nodiscard]] dist::WayOfMiddle way_of_middle() const;
  /// A sentence for the log: what became of the middles, and the bodies' volume against the references', before and
  /// after. Collective.
  [[nodiscard]] std::string report(const dist::Mesh& mesh, int refinements,
                                   const dist::RefinementReport& middles) const;

private:
  [[nodiscard]] const mesh::ReferenceShape* shape_of(std::int64_t tet) const;

  std::vector<mesh::ReferenceShape> shapes_;  ///< by ascending tets
  double volume_before_m3_ = 0;               ///< of the tets that have a reference
};

}  // namespace brisance::sim
