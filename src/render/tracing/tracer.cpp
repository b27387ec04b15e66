#include "render/tracing/tracer.hpp"

#include "brisance/core/error.hpp"

#include "render/tracing/planes.hpp"

#include <algorithm>
#include <string>

namespace brisance::render {
namespace {

RTCRay embree_ray(const Ray& ray) {
  RTCRay query{};
  query.org_x = ray.origin.x(), query.org_y = ray.origin.y(), query.org_z = ray.origin.z();
  query.dir_x = ray.direction.x(), query.dir_y = ray.direction.y(), query.dir_z = ray.direction.z();
  query.tfar = ray.far;
  query.mask = ~0U;
  return query;
}

constexpr std::uint32_t kEverySolid = ~std::uint32_t{0};

/// Embree's context with a list of what the ray crossed; Embree hands a pointer to its first member back.
struct CrossingQuery {
  RTCIntersectContext context;
  const Geometry* geometry;
  std::uint32_t solid;  ///< the only one recorded, or kEverySolid
  Crossings crossings;
};

/// Embree's filter: records the hit and lets the ray go on.
void record_crossing(const RTCFilterFunctionNArguments* arguments) {
  auto* query = reinterpret_cast<CrossingQuery*>(arguments->context);
  const auto* ray = reinterpret_cast<const RTCRay*>(arguments->ray);
  const auto* hit = reinterpret_cast<const RTCHit*>(arguments->hit);
  const Triangle& triangle = query->geometry->triangles[hit->primID];
  arguments->valid[0] = 0;
  if (query->solid != kEverySolid && triangle.solid != query->solid) return;
  const float along = hit->Ng_x * ray->dir_x + hit->Ng_y * ray->dir_y + hit->Ng_z * ray->dir_z;
  query->crossings.add({.distance = ray->tfar,
                        .triangle = hit->primID,
                        .surface = triangle.surface,
                        .solid = triangle.solid,
                        .is_exit = along > 0,
                        .u = hit->u,
                        .v = hit->v});
}

/// Embree's context with the solid whose exits are sought.
struct ExitQuery {
  RTCIntersectContext context;
  const Geometry* geometry;
  std::uint32_t solid;
};

/// Embree's filter: leaves only hits where the ray leaves the query's solid.
void keep_exits(const RTCFilterFunctionNArguments* arguments) {
  const auto* query = reinterpret_cast<const ExitQuery*>(arguments->context);
  const auto* ray = reinterpret_cast<const RTCRay*>(arguments->ray);
  const auto* hit = reinterpret_cast<const RTCHit*>(arguments->hit);
  const float along = hit->Ng_x * ray->dir_x + hit->Ng_y * ray->dir_y + hit->Ng_z * ray->dir_z;
  if (query->geometry->triangles[hit->primID].solid != query->solid || along <= 0) arguments->valid[0] = 0;
}

Crossings record_crossings(RTCScene scene, const Geometry& geometry, const Ray& ray, std::uint32_t solid) {
  CrossingQuery query{.context = {}, .geometry = &geometry, .solid = solid, .crossings = {}};
  rtcInitIntersectContext(&query.context);
  query.context.filter = record_crossing;
  RTCRay embree = embree_ray(ray);
  rtcOccluded1(scene, &query.context, &embree);
  return query.crossings;
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
      closed_gap_(std::max(1e-7F, 4e-6F * geometry.extent)),
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
  rtcSetSceneFlags(scene_.get(),
                   static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION));
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
  if (plane != nullptr) return plane_hit(geometry_, *plane, ray, distance);
  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
  return triangle_hit(ray, query);
}

Hit Tracer::triangle_hit(const Ray& ray, const RTCRayHit& query) const {
  const Triangle& triangle = geometry_.triangles[query.hit.primID];
  const float u = query.hit.u, v = query.hit.v, w = 1 - u - v;
  const auto between = [&](const auto& corners) { return (w * corners[0] + u * corners[1] + v * corners[2]).eval(); };
  Hit hit;
  hit.position = between(triangle.position);
  hit.albedo = between(triangle.albedo);
  hit.face_normal = Vec3f(query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z).normalized();
  hit.shading_normal = between(triangle.normal).normalized();
  hit.barycentric = {u, v};
  hit.distance = query.ray.tfar;
  hit.triangle = query.hit.primID;
  hit.surface = triangle.surface;
  hit.solid = triangle.solid;
  hit.from_inside = hit.face_normal.dot(ray.direction) > 0;
  if (hit.from_inside) {
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

Crossings Tracer::crossings(const Ray& ray) const {
  Crossings crossings = record_crossings(scene_.get(), geometry_, ray, kEverySolid);
  for (const Plane& plane : geometry_.planes)
    if (const float distance = distance_to(plane, ray); distance < kFar)
      crossings.add({.distance = distance,
                     .triangle = kNoTriangle,
                     .surface = plane.surface,
                     .solid = plane.solid,
                     .is_exit = false});
  return crossings;
}

Crossings Tracer::crossings(const Ray& ray, std::uint32_t solid) const {
  return record_crossings(scene_.get(), geometry_, ray, solid);
}

std::optional<Hit> Tracer::closest_exit(const Ray& ray, std::uint32_t solid) const {
  ExitQuery query{.context = {}, .geometry = &geometry_, .solid = solid};
  rtcInitIntersectContext(&query.context);
  query.context.filter = keep_exits;
  RTCRayHit found{};
  found.ray = embree_ray(ray);
  found.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(scene_.get(), &query.context, &found);
  if (found.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
  return triangle_hit(ray, found);
}

Hit Tracer::hit_of(const Ray& ray, const Crossing& crossing) const {
  const Vec3f normal = outward_normal(geometry_.triangles[crossing.triangle]);
  RTCRayHit found{};
  found.ray.tfar = crossing.distance;
  found.hit.primID = crossing.triangle;
  found.hit.u = crossing.u;
  found.hit.v = crossing.v;
  found.hit.Ng_x = normal.x(), found.hit.Ng_y = normal.y(), found.hit.Ng_z = normal.z();
  return triangle_hit(ray, found);
}

void Crossings::add(const Crossing& crossing) {
  std::size_t place = count_ < kMost ? count_++ : kMost;
  for (; place > 0 && list_[place - 1].distance > crossing.distance; --place)
    if (place < kMost) list_[place] = list_[place - 1];
  if (place < kMost) list_[place] = crossing;
}

}  // namespace brisance::render
