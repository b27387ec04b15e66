#include "render/tracing/tracer.hpp"

#include "render/tracing/embree_scene.hpp"
#include "render/tracing/planes.hpp"

#include <algorithm>

namespace brisance::render {
namespace {

RTCRay embree_ray(const Ray& ray) {
  RTCRay query{};
  query.org_x = ray.origin.x(), query.org_y = ray.origin.y(), query.org_z = ray.origin.z();
  query.dir_x = ray.direction.x(), query.dir_y = ray.direction.y(), query.dir_z = ray.direction.z();
  query.tfar = ray.far;
  query.time = ray.time;
  query.mask = ~0U;
  return query;
}

/// Embree's context with a list of what the ray crossed; Embree hands a pointer to its first member back.
struct CrossingQuery {
  RTCIntersectContext context;
  const Geometry* geometry;
  Crossings crossings;
};

/// Embree's filter: records the hit and lets the ray go on.
void record_crossing(const RTCFilterFunctionNArguments* arguments) {
  auto* query = reinterpret_cast<CrossingQuery*>(arguments->context);
  const auto* ray = reinterpret_cast<const RTCRay*>(arguments->ray);
  const auto* hit = reinterpret_cast<const RTCHit*>(arguments->hit);
  const Triangle& triangle = query->geometry->triangles[hit->primID];
  const float along = hit->Ng_x * ray->dir_x + hit->Ng_y * ray->dir_y + hit->Ng_z * ray->dir_z;
  query->crossings.add({.distance = ray->tfar,
                        .triangle = hit->primID,
                        .surface = triangle.surface,
                        .solid = triangle.solid,
                        .is_exit = along > 0});
  arguments->valid[0] = 0;
}

}  // namespace

Tracer::Tracer(const Geometry& geometry)
    : geometry_(geometry),
      offset_(2e-5F * geometry.extent),
      closed_gap_(std::max(1e-7F, 4e-6F * geometry.extent)),
      device_(rtcNewDevice("threads=1"), &rtcReleaseDevice),
      scene_(embree_scene(device_.get(), geometry)) {}

std::optional<Hit> Tracer::closest(const Ray& ray) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit query{};
  query.ray = embree_ray(ray);
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(scene_.get(), &context, &query);

  return found(ray, {.distance = query.ray.tfar,
                     .u = query.hit.u,
                     .v = query.hit.v,
                     .normal = Vec3f(query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z),
                     .triangle = query.hit.geomID == RTC_INVALID_GEOMETRY_ID ? kNoTriangle : query.hit.primID});
}

std::optional<Hit> Tracer::found(const Ray& ray, const TriangleHit& triangle) const {
  const Plane* plane = nullptr;
  float distance = triangle.distance;
  for (const Plane& each : geometry_.planes)
    if (const float t = distance_to(each, ray); t < distance) {
      distance = t;
      plane = &each;
    }
  if (plane != nullptr) return plane_hit(geometry_, *plane, ray, distance);
  if (triangle.triangle == kNoTriangle) return std::nullopt;
  return triangle_hit(ray, triangle);
}

Hit Tracer::triangle_hit(const Ray& ray, const TriangleHit& met) const {
  const Triangle& triangle = geometry_.triangles[met.triangle];
  const float u = met.u, v = met.v, w = 1 - u - v;
  const auto between = [&](const auto& corners) { return (w * corners[0] + u * corners[1] + v * corners[2]).eval(); };
  Hit hit;
  hit.position = between(triangle.position);
  if (geometry_.shutter_s > 0)
    hit.position += (ray.time - 0.5F) * geometry_.shutter_s * between(geometry_.velocity[met.triangle]);
  hit.albedo = between(triangle.albedo);
  hit.face_normal = met.normal.normalized();
  hit.shading_normal = between(triangle.normal).normalized();
  hit.barycentric = {u, v};
  hit.distance = met.distance;
  hit.time = ray.time;
  hit.triangle = met.triangle;
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
  CrossingQuery query{.context = {}, .geometry = &geometry_, .crossings = {}};
  rtcInitIntersectContext(&query.context);
  query.context.filter = record_crossing;
  RTCRay embree = embree_ray(ray);
  rtcOccluded1(scene_.get(), &query.context, &embree);
  for (const Plane& plane : geometry_.planes)
    if (const float distance = distance_to(plane, ray); distance < kFar)
      query.crossings.add({.distance = distance,
                           .triangle = kNoTriangle,
                           .surface = plane.surface,
                           .solid = plane.solid,
                           .is_exit = false});
  return query.crossings;
}

void Crossings::add(const Crossing& crossing) {
  std::size_t place = count_ < kMost ? count_++ : kMost;
  for (; place > 0 && list_[place - 1].distance > crossing.distance; --place)
    if (place < kMost) list_[place] = list_[place - 1];
  if (place < kMost) list_[place] = crossing;
}

}  // namespace brisance::render
