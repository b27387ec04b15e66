/// Cracks along a plane that a test chooses, with no load.
#pragma once

#include "brisance/fracture/rounds.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace brisance::test {

struct Plane {
  Vec3 point, normal;
  [[nodiscard]] double distance(const Vec3& x) const { return (x - point).dot(normal); }
};

/// True if the node still joins what lies above the plane to what lies below.
inline bool straddles(const dist::Mesh& mesh, LocalNode n, const Plane& plane) {
  double low = 0, high = 0;
  for (std::int32_t e : mesh.star(n)) {
    double centroid = 0;
    for (LocalNode c : mesh.corners(LocalElement(e))) centroid += plane.distance(mesh.rest[c]) / 4;
    low = std::min(low, centroid);
    high = std::max(high, centroid);
  }
  return low < 0 && high > 0;
}

/// Cracks every node within `reach` of the plane, and for which `is_meant` holds, that still joins its sides, new nodes
/// included, until a pass cuts nothing.
inline void sweep(dist::Mesh& mesh, fracture::Rounds& rounds, const Plane& plane, double reach, double time_s = 0,
                  const std::function<bool(const Vec3&)>& is_meant = {}) {
  for (std::int64_t pass = 0, cut = -1; cut != mesh.facts.num_cracks && pass < 100; ++pass) {
    cut = mesh.facts.num_cracks;
    std::map<LocalNode, fracture::Failure> failing;
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      if (const LocalNode n(i); mesh.is_owned(n) && mesh.star(n).size() > 1 &&
                                std::abs(plane.distance(mesh.rest[n])) <= reach && straddles(mesh, n, plane) &&
                                (!is_meant || is_meant(mesh.rest[n])))
        failing[n] = {n, 1.5, plane.normal};
    for (std::int64_t round = 0; mesh.comm().any(!failing.empty()); ++round)
      rounds.crack_round(mesh, failing, time_s, pass, round);
  }
}

}  // namespace brisance::test
