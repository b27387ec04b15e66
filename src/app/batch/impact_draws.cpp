#include "app/batch/impact_draws.hpp"

#include "brisance/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brisance::app {

ImpactDraws::ImpactDraws(const mesh::TetMesh& mesh, std::uint64_t seed) : seed_(seed) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (int k = 0; k < 4; ++k) {
      if (mesh.face_source[t][k] == mesh::kNoSourceTriangle) continue;
      const auto& face = mesh::kFaceCorners[k];
      const std::array<Vec3, 3> x{mesh.nodes[mesh.tets[t][face[0]]], mesh.nodes[mesh.tets[t][face[1]]],
                                  mesh.nodes[mesh.tets[t][face[2]]]};
      sum += (x[1] - x[0]).cross(x[2] - x[0]).norm() / 2;
      triangles_.push_back(x);
      area_up_to_.push_back(sum);
    }
}

DrawnImpact ImpactDraws::at(std::uint64_t number) const {
  const auto uniform = [&](std::uint64_t purpose) { return core::hash_uniform(seed_, number, purpose); };
  DrawnImpact impact;
  const double area = uniform(1) * area_up_to_.back();
  const auto found = std::upper_bound(area_up_to_.begin(), area_up_to_.end() - 1, area) - area_up_to_.begin();
  const auto& [a, b, c] = triangles_[static_cast<std::size_t>(found)];
  const double root = std::sqrt(uniform(2)), along = uniform(3);
  impact.point = (1 - root) * a + root * (1 - along) * b + root * along * c;
  const Vec3 inward = -(b - a).cross(c - a).normalized();
  const double cosine = 1 - uniform(4) * (1 - std::cos(std::numbers::pi / 6)), sine = std::sqrt(1 - cosine * cosine);
  const double turn = 2 * std::numbers::pi * uniform(5);
  const Vec3 across = inward.unitOrthogonal();
  impact.direction = cosine * inward + sine * (std::cos(turn) * across + std::sin(turn) * inward.cross(across));
  impact.share = uniform(6);
  // Angles about x, then y, then z of the world: the middle one by its sine.
  constexpr double kDegrees = 180 / std::numbers::pi;
  impact.rotation_deg = {360 * uniform(7), kDegrees * std::asin(2 * uniform(8) - 1), 360 * uniform(9)};
  return impact;
}

}  // namespace brisance::app
