#include "tracer.hpp"

#include "brisance/core/error.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace brisance::render {
namespace {

constexpr float kFar = std::numeric_limits<float>::infinity();

/// Distance to a plane hit from above; kFar if it is not hit.
float distance_to(const Plane& plane, const Ray& ray) {
  const float falling = -plane.normal.dot(ray.direction);
  const float height = plane.normal.dot(ray.origin) - plane.offset;
  return falling > 0 && height > 0 ? height / falling : kFar;
}

RTCRay embree_ray(const Ray& ray) {
  RTCRay query{};
  query.org_x = ray.origin.x(), query.org_y = ray.origin.y(), query.org_z = ray.origin.z();
  query.dir_x = ray.direction.x(), query.dir_y = ray.direction.y(), query.dir_z = ray.direction.z();
  query.tfar = kFar;
  query.mask = ~0U;
  return query;
}

/// Checker of slightly lighter and darker tiles; the contrast vanishes within a few lengths.
Rgb checkered(const Geometry& geometry, const Plane& plane, const Vec3f& position) {
  const Vec3f u = plane.normal.unitOrthogonal();
  const Vec3f v = plane.normal.cross(u);
  const Vec3f world = position + geometry.origin.cast<float>();
  const PlaneLook& look = geometry.plane_view;
  const float tile = std::pow(2.0F, std::round(std::log2(0.25F * look.length)));
  const auto parity = static_cast<long>(std::floor(world.dot(u) / tile) + std::floor(world.dot(v) / tile)) & 1L;
  const float contrast =
      look.contrast * std::exp(-0.3F * (position - look.centre).squaredNorm() / (look.length * look.length));
  return look.albedo * (parity == 0 ? 1 + contrast : 1 - contrast);
}

void require_no_error(RTCDevice device) {
  const RTCError error = rtcGetDeviceError(device);
  if (error != RTC_ERROR_NONE)
    throw core::Error(
        "Embree failed with error " + std::to_string(static_cast<int>(error)) +
        (error == RTC_ERROR_OUT_OF_MEMORY ? ": out of memory. Render with fewer ranks on this machine." : "."));
}

}  // namespace

Tracer::Tracer(const Geometry& geometry)
    : geometry_(geometry),
      offset_(2e-5F * geometry.extent),
      device_(rtcNewDevice("threads=1"), &rtcReleaseDevice),
      scene_(rtcNewScene(device_.get()), &rtcReleaseScene) {
  RTCGeometry mesh = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
  const std::size_t num_triangles = geometry.triangles.size();
  auto* corners = static_cast<float*>(rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                              3 * sizeof(float), 3 * num_triangles));
  auto* indices = static_cast<unsigned*>(
      rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), num_triangles));
  if (corners == nullptr || indices == nullptr) {
    rtcReleaseGeometry(mesh);
    throw core::Error("Embree has no memory for " + std::to_string(num_triangles) + " triangles.");
  }
  for (std::size_t t = 0; t < num_triangles; ++t)
    for (int c = 0; c < 3; ++c) {
      indices[3 * t + c] = static_cast<unsigned>(3 * t + c);
      for (int axis = 0; axis < 3; ++axis) corners[9 * t + 3 * c + axis] = geometry.triangles[t].position[c][axis];
    }
  rtcCommitGeometry(mesh);
  rtcAttachGeometry(scene_.get(), mesh);
  rtcReleaseGeometry(mesh);
  rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_ROBUST);
  rtcCommitScene(scene_.get());
  require_no_error(device_.get());
}

std::optional<Hit> Tracer::closest(const Ray& ray) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit query{};
  query.ray = embree_ray(ray);
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(scene_.get(), &context, &query);

  const Plane* plane = nullptr;
  float distance = query.ray.tfar;
  for (const Plane& each : geometry_.planes)
    if (const float t = distance_to(each, ray); t < distance) {
      distance = t;
      plane = &each;
    }
  if (plane != nullptr) {
    const Vec3f position = ray.origin + distance * ray.direction;
    return Hit{.position = position,
               .face_normal = plane->normal,
               .shading_normal = plane->normal,
               .albedo = checkered(geometry_, *plane, position),
               .is_plane = true};
  }
  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
  return triangle_hit(ray, query);
}

Hit Tracer::triangle_hit(const Ray& ray, const RTCRayHit& query) const {
  const Triangle& triangle = geometry_.triangles[query.hit.primID];
  const float u = query.hit.u, v = query.hit.v, w = 1 - u - v;
  Hit hit;
  hit.position = w * triangle.position[0] + u * triangle.position[1] + v * triangle.position[2];
  hit.albedo = w * triangle.albedo[0] + u * triangle.albedo[1] + v * triangle.albedo[2];
  hit.face_normal = Vec3f(query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z).normalized();
  hit.shading_normal = (w * triangle.normal[0] + u * triangle.normal[1] + v * triangle.normal[2]).normalized();
  if (hit.face_normal.dot(ray.direction) > 0) {  // seen from inside, through a gap
    hit.face_normal = -hit.face_normal;
    hit.shading_normal = -hit.shading_normal;
  }
  if (!(hit.shading_normal.dot(hit.face_normal) > 0)) hit.shading_normal = hit.face_normal;
  return hit;
}

bool Tracer::is_occluded(const Ray& ray) const {
  for (const Plane& plane : geometry_.planes)
    if (distance_to(plane, ray) < kFar) return true;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRay query = embree_ray(ray);
  rtcOccluded1(scene_.get(), &context, &query);
  return query.tfar < 0;
}

}  // namespace brisance::render
