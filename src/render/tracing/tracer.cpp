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

/// What Embree found; no triangle where it found none.
TriangleHit hit_by(const RTCRayHit& query) {
  return {.distance = query.ray.tfar,
          .u = query.hit.u,
          .v = query.hit.v,
          .normal = Vec3f(query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z),
          .triangle = query.hit.geomID == RTC_INVALID_GEOMETRY_ID ? kNoTriangle : query.hit.primID};
}

Crossings record_crossings(RTCScene scene, const Geometry& geometry, const Ray& ray, std::uint32_t solid) {
  CrossingQuery query{.context = {}, .geometry = &geometry, .solid = solid, .crossings = {}};
  rtcInitIntersectContext(&query.context);
  query.context.filter = record_crossing;
  RTCRay embree = embree_ray(ray);
  rtcOccluded1(scene, &query.context, &embree);
  return query.crossings;
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

  return found(ray, hit_by(query));
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
  return triangle_hit(ray, hit_by(found));
}

Hit Tracer::hit_of(const Ray& ray, const Crossing& crossing) const {
  const Vec3f normal = outward_normal(geometry_.triangles[crossing.triangle]);
  return triangle_hit(ray, {.distance = crossing.distance,
                            .u = crossing.u,
                            .v = crossing.v,
                            .normal = normal,
                            .triangle = crossing.triangle});
}

void Crossings::add(const Crossing& crossing) {
  std::size_t place = count_ < kMost ? count_++ : kMost;
  for (; place > 0 && list_[place - 1].distance > crossing.distance; --place)
    if (place < kMost) list_[place] = list_[place - 1];
  if (place < kMost) list_[place] = crossing;
}

}  // namespace brisance::render
