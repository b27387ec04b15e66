/// Size and mass of each object of a scene, which reveal a file in wrong units.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/sim/parameters.hpp"

#include <optional>
#include <span>
#include <string>

namespace brisance::sim {

struct ObjectSize {
  std::string name;
  bool is_file = false;          ///< false: a shape
  double scale = 1;              ///< scale of the file's lengths
  Vec3 extent_m = Vec3::Zero();  ///< edges of the bounding box along the object's own axes
  double volume_m3 = 0, mass_kg = 0;
};

/// Size of an object by its tets before placement; their regions are materials of the scene. Collective.
[[nodiscard]] ObjectSize object_size(const core::Comm& comm, const Scene& scene, const ObjectParameters& object,
                                     const mesh::TetMesh& mesh, std::span<const Vec3> own_nodes);

/// "object "cup": 0.1 × 0.08 × 0.09 m, 0.00021 m³, 0.53 kg". Local.
[[nodiscard]] std::string describe(const ObjectSize& size);

/// A question about the units of the object's file, if it is larger than 20 m or smaller than 1 mm. Local.
[[nodiscard]] std::optional<std::string> doubt_of_units(const ObjectSize& size);

}  // namespace brisance::sim
