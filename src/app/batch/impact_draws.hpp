/// Random impacts on an object, each a function of a seed and its number alone.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::app {

struct DrawnImpact {
  Vec3 point = Vec3::Zero();         ///< on the object's surface, uniform by area [m]
  Vec3 direction = Vec3::Zero();     ///< unit vector into the object, uniform within 30° of the normal
  double share = 0;                  ///< uniform in [0, 1), for further choices
  Vec3 rotation_deg = Vec3::Zero();  ///< uniform over all rotations, about x, then y, then z [degrees]
};

class ImpactDraws {
public:
  /// Takes the boundary of the mesh: faces with a source triangle.
  ImpactDraws(const mesh::TetMesh& mesh, std::uint64_t seed);

  /// Local; does not throw.
  [[nodiscard]] DrawnImpact at(std::uint64_t number) const;

private:
  std::vector<std::array<Vec3, 3>> triangles_;
  std::vector<double> area_up_to_;  ///< sum of the areas of a triangle and those before [m²]
  std::uint64_t seed_;
};

}  // namespace brisance::app
