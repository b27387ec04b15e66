#include "brisance/mesh/surface/clean.hpp"

#include "mesh/surface/flat_triangles.hpp"
#include "mesh/surface/orient.hpp"
#include "mesh/surface/weld.hpp"

#include <algorithm>
#include <set>

namespace brisance::mesh {
namespace {

constexpr double kRelativeWeldDistance = 1e-9;  // over the diagonal: far below features, far above a file's round-off

double diagonal(const Surface& surface) {
  if (surface.vertices.empty()) return 0;
  Vec3 lower = surface.vertices[0], upper = lower;
  for (const auto& p : surface.vertices) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  return (upper - lower).norm();
}

/// Keeps the first triangle on each set of three vertices. @return number of triangles removed
std::int64_t remove_duplicates(Surface& surface) {
  std::set<std::array<std::int32_t, 3>> seen;
  std::size_t kept = 0;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    auto key = surface.triangles[t];
    std::ranges::sort(key);
    if (!seen.insert(key).second) continue;
    surface.triangles[kept] = surface.triangles[t];
    surface.source_face[kept++] = surface.source_face[t];
  }
  const auto num_removed = static_cast<std::int64_t>(surface.triangles.size() - kept);
  surface.triangles.resize(kept);
  surface.source_face.resize(kept);
  return num_removed;
}

}  // namespace

Surface clean(Surface surface, CleanReport& report) {
  report = {};
  report.num_welded = weld_vertices(surface, kRelativeWeldDistance * diagonal(surface));
  report.num_degenerate = remove_flat_triangles(surface);
  report.num_duplicate = remove_duplicates(surface);
  report.num_unused = remove_unused_vertices(surface);
  const OrientReport oriented = orient_outward(surface);
  report.num_turned = oriented.num_turned;
  report.num_cavities = oriented.num_cavities;
  report.num_swallowed = oriented.num_swallowed;
  if (report.num_swallowed > 0) (void)remove_unused_vertices(surface);  // vertices of the removed components
  return surface;
}

}  // namespace brisance::mesh
