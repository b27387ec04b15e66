#include "modes/body/face_normal.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace brisance::modes {

Vec3 face_normal(const Simplices& mesh, const Face& face) {
  std::array<std::int32_t, 4> corner{};  // corners common to both cells
  const auto a = mesh.cell(face.a), b = mesh.cell(face.b);
  std::copy_if(a.begin(), a.end(), corner.begin(),
               [&](std::int32_t c) { return std::find(b.begin(), b.end(), c) != b.end(); });
  const Vec3 along = mesh.nodes[corner[1]] - mesh.nodes[corner[0]];
  const Vec3 across = mesh.dimension() == 2 ? Vec3(0, 0, 1) : Vec3(mesh.nodes[corner[2]] - mesh.nodes[corner[0]]);
  return along.cross(across).normalized();
}

}  // namespace brisance::modes
