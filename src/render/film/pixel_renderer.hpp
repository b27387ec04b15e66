/// Renders pixels: the samples of each, their mean, and what they met.
#pragma once

#include "render/film/camera_rays.hpp"
#include "render/film/layer_film.hpp"
#include "render/film/noise.hpp"
#include "render/film/scene_names.hpp"
#include "render/integrator/path_tracer.hpp"
#include "render/integrator/stage.hpp"

#include <optional>
#include <span>

namespace brisance::render {

/// What layers are made of.
struct LayerSource {
  LayerFilm film;
  std::vector<std::uint32_t> object_of;  ///< by surface
  std::vector<std::uint32_t> piece_of;   ///< by solid
  std::uint32_t num_pieces = 0;          ///< solids below are pieces
};

/// A pixel is a function of frame, options and its place. Camera rays, and shadow rays from what they see, are traced
/// in packets of its own samples. With Exposure::noise, a pixel ends after a packet once its own samples say that it is
/// good enough. Const calls may run on several threads.
class PixelRenderer {
public:
  /// @param layers  null: colours alone. All references outlive the renderer.
  PixelRenderer(const Options& options, const Stage& stage, const CameraRays& camera, const LayerSource* layers);

  /// Numbers of a pixel: red, green, blue, then those of the layers.
  [[nodiscard]] std::size_t num_values() const { return 3 + (layers_ == nullptr ? 0 : layers_->film.names().size()); }
  void render(int x, int y, std::span<float> pixel, RayCount& count) const;

private:
  /// Sums of a pixel in the making.
  struct Gathered {
    PixelSum sum;
    NoiseEstimate noise;
    std::vector<Seen> seen;
  };

  /// Samples first … first + kPacket − 1, but for those beyond the last.
  void add_packet(int x, int y, std::uint32_t first, Gathered& gathered, RayCount& count) const;
  void add_sample(const Rgb& radiance, Gathered& gathered) const;
  /// Adds what layers need of a sample.
  void see(const Ray& ray, const std::optional<Hit>& hit, const Rgb& radiance, const PathTracer& tracer,
           Gathered& gathered) const;
  [[nodiscard]] bool is_good_enough(const Gathered& gathered) const;

  const Options& options_;
  const Stage& stage_;
  const CameraRays& camera_;
  const LayerSource* layers_;
  std::uint32_t num_samples_;  ///< at most
};

}  // namespace brisance::render
