/// Primary visibility, a million triangles: the renderer's camera rays beside Embree's own calls with the same rays.
#include "render/film/camera_rays.hpp"
#include "render/sampling/sampler.hpp"
#include "render/tracing/embree_scene.hpp"
#include "render/tracing/tracer.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <benchmark/benchmark.h>

namespace brisance::render {
namespace {

constexpr int kSize = 256;  ///< pixels
constexpr std::uint32_t kSamples = 8;

/// A dented ball of 2 · 700² triangles.
Geometry dented_ball() {
  constexpr int kRings = 700;
  const auto corner = [](int ring, int segment) {
    const double polar = std::numbers::pi * ring / kRings, azimuth = 2 * std::numbers::pi * segment / kRings;
    const double radius = 1 + 0.05 * std::sin(40 * polar) * std::sin(40 * azimuth);
    return Vec3f(
        radius *
        Vec3(std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth), std::cos(polar)).cast<float>());
  };
  Geometry geometry;
  geometry.extent = 2;
  geometry.surfaces.resize(2);
  for (int ring = 0; ring < kRings; ++ring)
    for (int segment = 0; segment < kRings; ++segment) {
      const Vec3f a = corner(ring, segment), b = corner(ring + 1, segment), c = corner(ring + 1, segment + 1),
                  d = corner(ring, segment + 1);
      for (const auto& corners : {std::array{a, b, c}, std::array{a, c, d}}) {
        Triangle triangle{};
        triangle.position = triangle.rest = triangle.normal = corners;
        triangle.albedo.fill(Rgb::Constant(0.5F));
        geometry.triangles.push_back(triangle);
      }
    }
  return geometry;
}

struct Fixture {
  Geometry geometry = dented_ball();
  Tracer tracer{geometry};
  Options options = [] {
    Options sized;
    sized.width = sized.height = kSize;
    return sized;
  }();
  CameraRays camera{
      Camera{.eye = Vec3(0, -3, 0.5), .target = Vec3::Zero(), .up = Vec3::UnitZ(), .field_of_view_deg = 40}, options,
      Vec3::Zero()};
  std::vector<Ray> rays = [this] {
    std::vector<Ray> all;
    for (int pixel = 0; pixel < kSize * kSize; ++pixel)
      for (std::uint32_t sample = 0; sample < kSamples; ++sample) all.push_back(camera_ray(pixel, sample));
    return all;
  }();

  [[nodiscard]] Ray camera_ray(int pixel, std::uint32_t sample) const {
    Sampler sampler(1, static_cast<std::uint64_t>(pixel), sample, kSamples);
    return camera.ray(pixel % kSize, pixel / kSize, sampler);
  }
};

const Fixture& fixture() {
  static const Fixture once;
  return once;
}

void count_rays(benchmark::State& state) { state.SetItemsProcessed(state.iterations() * kSize * kSize * kSamples); }

/// Embree as its manual says: packets of eight, nothing else.
void EmbreePackets(benchmark::State& state, bool is_robust) {
  const Fixture& scene = fixture();
  const std::unique_ptr<RTCDeviceTy, decltype(&rtcReleaseDevice)> device(rtcNewDevice("threads=1"), &rtcReleaseDevice);
  const EmbreeScene embree = embree_scene(device.get(), scene.geometry);
  rtcSetSceneFlags(embree.get(), is_robust ? RTC_SCENE_FLAG_ROBUST : RTC_SCENE_FLAG_NONE);
  rtcCommitScene(embree.get());
  alignas(32) const std::array<int, 8> valid{-1, -1, -1, -1, -1, -1, -1, -1};
  for (auto _ : state)
    for (std::size_t first = 0; first < scene.rays.size(); first += 8) {
      RTCIntersectContext context;
      rtcInitIntersectContext(&context);
      context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
      RTCRayHit8 query;
      for (std::size_t i = 0; i < 8; ++i) {
        const Ray& ray = scene.rays[first + i];
        query.ray.org_x[i] = ray.origin.x(), query.ray.org_y[i] = ray.origin.y(), query.ray.org_z[i] = ray.origin.z();
        query.ray.dir_x[i] = ray.direction.x(), query.ray.dir_y[i] = ray.direction.y();
        query.ray.dir_z[i] = ray.direction.z();
        query.ray.tnear[i] = query.ray.time[i] = 0;
        query.ray.tfar[i] = kFar;
        query.ray.mask[i] = ~0U;
        query.ray.flags[i] = 0;
        query.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
      }
      rtcIntersect8(valid.data(), embree.get(), &context, &query);
      benchmark::DoNotOptimize(query);
    }
  count_rays(state);
}
BENCHMARK_CAPTURE(EmbreePackets, plain, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(EmbreePackets, watertight, true)->Unit(benchmark::kMillisecond);

/// The renderer from pixel and sample to position, normals and albedo.
void CameraPackets(benchmark::State& state) {
  const Fixture& scene = fixture();
  std::array<Ray, kPacket> rays;
  std::array<std::optional<Hit>, kPacket> hits;
  for (auto _ : state)
    for (int pixel = 0; pixel < kSize * kSize; ++pixel) {
      for (std::uint32_t i = 0; i < kSamples; ++i) rays[i] = scene.camera_ray(pixel, i);
      scene.tracer.closest(rays, hits);
      benchmark::DoNotOptimize(hits);
    }
  count_rays(state);
}
BENCHMARK(CameraPackets)->Unit(benchmark::kMillisecond);

/// Without making the rays.
void TracerPackets(benchmark::State& state) {
  const Fixture& scene = fixture();
  std::array<std::optional<Hit>, kPacket> hits;
  for (auto _ : state)
    for (std::size_t first = 0; first < scene.rays.size(); first += kPacket) {
      scene.tracer.closest(std::span(scene.rays).subspan(first, kPacket), hits);
      benchmark::DoNotOptimize(hits);
    }
  count_rays(state);
}
BENCHMARK(TracerPackets)->Unit(benchmark::kMillisecond);

void TracerSingle(benchmark::State& state) {
  const Fixture& scene = fixture();
  for (auto _ : state)
    for (const Ray& ray : scene.rays) benchmark::DoNotOptimize(scene.tracer.closest(ray));
  count_rays(state);
}
BENCHMARK(TracerSingle)->Unit(benchmark::kMillisecond);

/// Shadow rays from what eight samples of a pixel see to one light.
void Shadows(benchmark::State& state, bool in_packets) {
  const Fixture& scene = fixture();
  std::vector<Ray> shadows;
  for (const Ray& ray : scene.rays)
    if (const auto hit = scene.tracer.closest(ray))
      shadows.push_back(scene.tracer.leaving(*hit, Vec3f(1, -1, 1).normalized()));
  for (auto _ : state)
    for (std::size_t first = 0; first + kPacket <= shadows.size(); first += kPacket) {
      const std::span packet(&shadows[first], kPacket);
      if (in_packets) {
        benchmark::DoNotOptimize(scene.tracer.are_occluded(packet));
      } else {
        for (const Ray& ray : packet) benchmark::DoNotOptimize(scene.tracer.is_occluded(ray));
      }
    }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(shadows.size()));
}
BENCHMARK_CAPTURE(Shadows, packets, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Shadows, single, false)->Unit(benchmark::kMillisecond);

/// What a new frame costs before its first ray.
void BuildTree(benchmark::State& state) {
  const Fixture& scene = fixture();
  for (auto _ : state) benchmark::DoNotOptimize(Tracer(scene.geometry));
}
BENCHMARK(BuildTree)->Unit(benchmark::kMillisecond);

/// Embree's own refit after all corners have moved.
void RefitTree(benchmark::State& state) {
  const Fixture& scene = fixture();
  const std::unique_ptr<RTCDeviceTy, decltype(&rtcReleaseDevice)> device(rtcNewDevice("threads=1"), &rtcReleaseDevice);
  const EmbreeScene embree = embree_scene(device.get(), scene.geometry);
  RTCGeometry mesh = rtcGetGeometry(embree.get(), 0);
  rtcSetGeometryBuildQuality(mesh, RTC_BUILD_QUALITY_REFIT);
  for (auto _ : state) {
    rtcUpdateGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(mesh);
    rtcCommitScene(embree.get());
  }
}
BENCHMARK(RefitTree)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace brisance::render

BENCHMARK_MAIN();
