/// Several rays at once. Embree's kernels for packets round differently from those for single rays: what uses packets
/// uses them always, also for fewer rays, and then a ray's result does not depend on its companions.
#include "render/tracing/planes.hpp"
#include "render/tracing/tracer.hpp"

#include <algorithm>

namespace brisance::render {
namespace {

static_assert(kPacket == 8, "the calls of Embree below are those for eight rays");

using Lanes = std::array<int, kPacket>;  ///< −1: in use

void fill_lane(RTCRay8& packet, std::size_t lane, const Ray& ray) {
  packet.org_x[lane] = ray.origin.x(), packet.org_y[lane] = ray.origin.y(), packet.org_z[lane] = ray.origin.z();
  packet.dir_x[lane] = ray.direction.x(), packet.dir_y[lane] = ray.direction.y();
  packet.dir_z[lane] = ray.direction.z();
  packet.tnear[lane] = 0;
  packet.tfar[lane] = ray.far;
  packet.time[lane] = ray.time;
  packet.mask[lane] = ~0U;
  packet.id[lane] = 0;
  packet.flags[lane] = 0;
}

/// Asks for a triangle's memory: the triangles of a packet arrive together instead of one after the other.
void prefetch(const Triangle& triangle) {
  constexpr std::size_t kLine = 64;
  const auto* const bytes = reinterpret_cast<const char*>(&triangle);
  for (std::size_t offset = 0; offset < sizeof(Triangle); offset += kLine) __builtin_prefetch(bytes + offset);
}

RTCIntersectContext context_for_packets() {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  return context;
}

}  // namespace

void Tracer::closest(std::span<const Ray> rays, std::span<std::optional<Hit>> hits) const {
  alignas(32) Lanes valid{};
  RTCRayHit8 query{};
  for (std::size_t i = 0; i < rays.size(); ++i) {
    valid[i] = -1;
    fill_lane(query.ray, i, rays[i]);
    query.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
  }
  RTCIntersectContext context = context_for_packets();
  rtcIntersect8(valid.data(), scene_.get(), &context, &query);
  for (std::size_t i = 0; i < rays.size(); ++i)
    if (query.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID) prefetch(geometry_.triangles[query.hit.primID[i]]);
  for (std::size_t i = 0; i < rays.size(); ++i)
    hits[i] = found(rays[i],
                    {.distance = query.ray.tfar[i],
                     .u = query.hit.u[i],
                     .v = query.hit.v[i],
                     .normal = Vec3f(query.hit.Ng_x[i], query.hit.Ng_y[i], query.hit.Ng_z[i]),
                     .triangle = query.hit.geomID[i] == RTC_INVALID_GEOMETRY_ID ? kNoTriangle : query.hit.primID[i]});
}

std::bitset<kPacket> Tracer::are_occluded(std::span<const Ray> rays) const {
  alignas(32) Lanes valid{};
  RTCRay8 query{};
  std::bitset<kPacket> occluded;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    occluded[i] =
        std::ranges::any_of(geometry_.planes, [&](const Plane& plane) { return distance_to(plane, rays[i]) < kFar; });
    valid[i] = occluded[i] ? 0 : -1;
    fill_lane(query, i, rays[i]);
  }
  RTCIntersectContext context = context_for_packets();
  rtcOccluded8(valid.data(), scene_.get(), &context, &query);
  for (std::size_t i = 0; i < rays.size(); ++i)
    if (query.tfar[i] < 0) occluded[i] = true;
  return occluded;
}

}  // namespace brisance::render
