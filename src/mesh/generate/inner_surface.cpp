#include "mesh/generate/inner_surface.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/generate/closed_surface.hpp"
#include "brisance/mesh/surface/check.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace brisance::mesh {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw core::Error("object.mesh: " + what +
                    " Choose another cavity_scale, which shrinks the outside about its centroid, or a cavity_file that "
                    "lies inside.");
}

}  // namespace

Vec3 centroid_of(const Surface& surface) {
  const Vec3 apex = surface.vertices.front();
  Vec3 moment = Vec3::Zero();
  double volume = 0;
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 u = surface.vertices[a] - apex, v = surface.vertices[b] - apex, w = surface.vertices[c] - apex;
    const double six_volumes = u.dot(v.cross(w));
    volume += six_volumes;
    moment += six_volumes / 4 * (u + v + w);
  }
  return apex + moment / volume;
}

bool has_cavity(const Request& request) { return request.cavity_scale > 0 || !request.cavity_file.empty(); }

void require_valid_cavity(const Request& request) {
  if (!has_cavity(request)) return;
  if (request.cavity_scale > 0 && !request.cavity_file.empty())
    throw core::Error("object.mesh: cavity_scale and cavity_file are both given; leave one out.");
  if (!(request.cavity_scale >= 0 && request.cavity_scale < 1))
    throw core::Error(fmt::format("object.mesh: cavity_scale = {:g} must lie between 0 and 1.", request.cavity_scale));
  if (request.cage) throw core::Error("object.mesh: a cage has no cavity; leave cavity_scale and cavity_file out.");
}

Surface scaled_inside(Surface surface, const Request& request) {
  const Vec3 centre = centroid_of(surface);
  for (Vec3& x : surface.vertices) x = centre + request.cavity_scale * (x - centre);
  return surface;
}

Surface with_cavity(Surface outside, const Surface& inner) {
  const bool is_inside = winding_number(outside, inner.vertices.front()) > 0.5;
  const auto first = static_cast<std::int32_t>(outside.vertices.size());
  std::int32_t first_source = 0;
  for (const std::int32_t source : outside.source_face) first_source = std::max(first_source, source + 1);
  outside.vertices.insert(outside.vertices.end(), inner.vertices.begin(), inner.vertices.end());
  for (const auto& [a, b, c] : inner.triangles) outside.triangles.push_back({first + a, first + c, first + b});
  for (const std::int32_t source : inner.source_face) outside.source_face.push_back(first_source + source);
  const SurfaceReport report = check_surface(outside);
  if (report.num_self_intersections > 0)
    refuse(fmt::format("the cavity and the outside cross each other, first at ({:.3g}, {:.3g}, {:.3g}) m.",
                       report.self_intersection.x(), report.self_intersection.y(), report.self_intersection.z()));
  if (!is_inside) refuse("the cavity is not inside the body.");
  return outside;
}

Surface with_cavity(Surface outside, const Request& request) {
  if (!has_cavity(request)) return outside;
  const Surface inner = request.cavity_scale > 0 ? scaled_inside(outside, request)
                                                 : read_closed_surface(request.cavity_file, request.scale);
  return with_cavity(std::move(outside), inner);
}

BodySize less_cavity(BodySize size, const Request& request) {
  if (request.cavity_scale > 0) {
    const double s = request.cavity_scale;
    return {size.volume_m3 * (1 - s * s * s), size.area_m2 * (1 + s * s), size.length_m};
  }
  const SurfaceReport inner = check_surface(read_closed_surface(request.cavity_file, request.scale));
  return {size.volume_m3 - inner.volume_m3, size.area_m2 + inner.area_m2, size.length_m};
}

}  // namespace brisance::mesh
