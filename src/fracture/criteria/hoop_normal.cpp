#include "fracture/criteria/hoop_normal.hpp"

#include "brisance/fracture/criteria/tip_field.hpp"
#include "brisance/fracture/fronts.hpp"

#include <vector>

namespace brisance::fracture {

std::optional<Vec3> hoop_normal(const dist::Mesh& mesh, LocalNode n, const StarForces& stars) {
  const std::optional<Front> front = present_front(mesh, n);
  if (!front) return std::nullopt;
  const Vec3 ahead = front->growth, across = front->tangent.cross(front->growth), tip = Vec3(mesh.motion[n].position) + front->offset;
  std::vector<TipSample> samples;
  for (const std::int32_t slot : mesh.star(n)) {
    const auto [stress, volume] = stars.stress(LocalElement(slot));
    Vec3 middle = -tip;
    for (const LocalNode c : mesh.corners(LocalElement(slot))) middle += 0.25 * Vec3(mesh.motion[c].position);
    const Mat3 full = full_matrix(stress);
    samples.push_back({middle.dot(ahead), middle.dot(across), ahead.dot(full * ahead), across.dot(full * across),
                       ahead.dot(full * across), volume});
  }
  const auto [cosine, sine] = hoop_direction(fit_tip_field(samples));
  return cosine * across - sine * ahead;
}

}  // namespace brisance::fracture
