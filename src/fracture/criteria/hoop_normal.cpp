#include "fracture/criteria/hoop_normal.hpp"

#include "brisance/dist/division.hpp"
#include "brisance/fracture/criteria/tip_field.hpp"
#include "brisance/fracture/fronts.hpp"

#include <vector>

namespace brisance::fracture {

namespace {

/// From a point to the centre of the material in an element, present [m]: in a copy, that of its block.
Vec3 to_material(const Vec3& from, const dist::Mesh& mesh, LocalElement e) {
  elements::Barycentric weight{0.25, 0.25, 0.25, 0.25};
  if (const auto* division = mesh.find_field(dist::kDivision);
      division != nullptr && !(*division)[e].partition.is_whole())
    weight =
        elements::block_materials((*division)[e].partition)[static_cast<std::size_t>((*division)[e].block)].centroid;
  Vec3 middle = -from;
  for (int k = 0; k < 4; ++k)
    middle += weight[static_cast<std::size_t>(k)] * Vec3(mesh.motion[mesh.corner(e, k)].position);
  return middle;
}

}  // namespace

std::optional<Vec3> hoop_normal(const dist::Mesh& mesh, LocalNode n, const StarForces& stars) {
  const std::optional<Front> front = present_front(mesh, n);
  if (!front) return std::nullopt;
  const Vec3 ahead = front->growth, across = front->tangent.cross(front->growth),
             tip = Vec3(mesh.motion[n].position) + front->offset;
  std::vector<TipSample> samples;
  for (const std::int32_t slot : mesh.star(n)) {
    const auto [stress, volume] = stars.stress(LocalElement(slot));
    const Vec3 middle = to_material(tip, mesh, LocalElement(slot));
    const Mat3 full = full_matrix(stress);
    samples.push_back({middle.dot(ahead), middle.dot(across), ahead.dot(full * ahead), across.dot(full * across),
                       ahead.dot(full * across), volume});
  }
  const auto [cosine, sine] = hoop_direction(fit_tip_field(samples));
  return cosine * across - sine * ahead;
}

}  // namespace brisance::fracture
