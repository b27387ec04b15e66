#include "brisance/mesh/generate/closed_surface.hpp"

#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/surface/clean.hpp"

#include "mesh/shapes/dimensions.hpp"
#include "mesh/surface/touching_parts.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace brisance::mesh {

Surface read_closed_surface(const std::filesystem::path& file, double factor) {
  Surface surface = read_surface(file);
  Request request;
  request.file = file;
  request.scale = factor;
  scale(surface, request);
  CleanReport ignored;
  Surface cleaned = clean(surface, ignored);
  const SurfaceReport findings = check_surface(cleaned);
  require_solid(findings, findings.meshable() ? TouchingParts{} : find_touching_parts(std::move(surface)), file);
  return cleaned;
}

double winding_number(const Surface& surface, const Vec3& x) {
  double sum = 0;
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 u = surface.vertices[a] - x, v = surface.vertices[b] - x, w = surface.vertices[c] - x;
    const double lu = u.norm(), lv = v.norm(), lw = w.norm();
    sum += 2 * std::atan2(u.dot(v.cross(w)), lu * lv * lw + u.dot(v) * lw + v.dot(w) * lu + w.dot(u) * lv);
  }
  return sum / (4 * std::numbers::pi);
}

}  // namespace brisance::mesh
