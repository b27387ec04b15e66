#include "render/film/pixel_renderer.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace brisance::render {
namespace {

/// Of Rec. 709 red, green and blue.
double luminance(const Rgb& colour) { return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]; }

/// Zero on planes, which do not move.
Vec3f velocity_of(const Hit& hit, const Geometry& geometry) {
  if (hit.triangle == kNoTriangle) return Vec3f::Zero();
  const auto& [a, b, c] = geometry.velocity[hit.triangle];
  return (1 - hit.barycentric.sum()) * a + hit.barycentric.x() * b + hit.barycentric.y() * c;
}

}  // namespace

PixelRenderer::PixelRenderer(const Options& options, const Stage& stage, const CameraRays& camera,
                             const LayerSource* layers)
    : options_(options),
      stage_(stage),
      camera_(camera),
      layers_(layers),
      num_samples_(std::bit_ceil(static_cast<std::uint32_t>(options.samples_per_pixel))) {}

void PixelRenderer::render(int x, int y, std::span<float> pixel, RayCount& count) const {
  Gathered gathered;
  for (std::uint32_t first = 0; first < num_samples_ && !is_good_enough(gathered); first += kPacket)
    add_packet(x, y, first, gathered, count);
  count.samples += gathered.sum.num_samples;
  const Rgb mean = gathered.sum.radiance / static_cast<float>(gathered.sum.num_samples);
  std::ranges::copy(mean, pixel.begin());
  if (layers_ != nullptr) layers_->film.fill(gathered.sum, gathered.seen, pixel.subspan(3));
}

bool PixelRenderer::is_good_enough(const Gathered& gathered) const {
  const Exposure& exposure = options_.exposure;
  return exposure.noise > 0 && gathered.sum.num_samples >= static_cast<std::uint32_t>(exposure.min_samples) &&
         gathered.noise.relative_error() < exposure.noise;
}

void PixelRenderer::add_packet(int x, int y, std::uint32_t first, Gathered& gathered, RayCount& count) const {
  const std::uint64_t pixel = static_cast<std::uint64_t>(y) * options_.width + x;
  const std::uint32_t end = std::min<std::uint32_t>(num_samples_, first + kPacket);
  std::vector<Sampler> samplers;
  std::array<Ray, kPacket> rays;
  std::array<std::optional<Hit>, kPacket> hits;
  samplers.reserve(kPacket);
  for (std::uint32_t sample = first; sample < end; ++sample) {
    samplers.emplace_back(options_.seed, pixel, sample, num_samples_);
    rays[sample - first] = camera_.ray(x, y, samplers.back());
  }
  stage_.tracer.closest(std::span(rays).first(end - first), hits);
  std::array<Rgb, kPacket> radiance;
  ShadowQueue shadows;
  for (std::size_t i = 0; i < samplers.size(); ++i)
    radiance[i] = PathTracer(stage_, samplers[i], {count, &shadows, i}).radiance(rays[i], hits[i]);
  shadows.resolve(stage_.tracer, radiance, count);
  for (std::size_t i = 0; i < samplers.size(); ++i) {
    add_sample(radiance[i], gathered);
    if (layers_ != nullptr) see(rays[i], hits[i], radiance[i], PathTracer(stage_, samplers[i], {count}), gathered);
  }
}

void PixelRenderer::add_sample(const Rgb& radiance, Gathered& gathered) const {
  gathered.sum.radiance += radiance;
  ++gathered.sum.num_samples;
  if (options_.exposure.noise > 0) gathered.noise.add(luminance(radiance));
}

void PixelRenderer::see(const Ray& ray, const std::optional<Hit>& hit, const Rgb& radiance, const PathTracer& tracer,
                        Gathered& gathered) const {
  Seen& seen = gathered.seen.emplace_back();
  seen.depth = kFar;
  if (!hit) {
    gathered.sum.background += radiance;
    return;
  }
  const float share = hit->is_plane ? stage_.backdrop.share_of_plane(hit->position) : 1;
  if (share < 1) gathered.sum.background += (1 - share) * tracer.background(ray);
  gathered.sum.coverage += share;
  seen.depth = camera_.depth(hit->position);
  seen.albedo = hit->albedo;
  seen.normal = hit->shading_normal;
  seen.velocity = velocity_of(*hit, stage_.tracer.geometry());
  seen.object = layers_->object_of[hit->surface];
  seen.piece = layers_->piece_of[hit->solid];
  if (hit->solid < layers_->num_pieces) seen.piece_number = static_cast<float>(hit->solid);
}

}  // namespace brisance::render
