#include "render/film/prepared_frame.hpp"

#include "brisance/core/error.hpp"

#include "render/colour_bar.hpp"
#include "render/fields.hpp"
#include "render/film/framing.hpp"
#include "render/geometry/build.hpp"
#include "render/texture.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace brisance::render {
namespace {

const Options& checked(const Options& options) {
  check(options);
  return options;
}

ValueRange range_of(const io::Snapshot& snapshot, const Options& options) {
  if (options.range) return *options.range;
  return is_field(options.colour_by) ? frame_range(snapshot.part, options.colour_by) : ValueRange{};
}

/// The sun stands still while the camera moves.
LightPlace light_place(const Camera& camera, const Options& options, const Geometry& geometry) {
  const Camera& first = options.camera_keys.empty() ? camera : options.camera_keys.front().camera;
  return {.axes = camera_axes(first), .up = camera.up.normalized(), .origin = geometry.origin};
}

Backdrop backdrop_of(const Camera& camera, const Options& options, const Geometry& geometry) {
  return {options, camera_axes(camera), view_tangents(camera.field_of_view_deg, options.width, options.height),
          geometry.plane_view};
}

std::optional<LayerSource> layer_source(const io::Snapshot& snapshot, const Options& options,
                                        const Geometry& geometry) {
  if (!options.layers) return std::nullopt;
  SceneNames names = scene_names(snapshot, geometry);
  return LayerSource{.film = LayerFilm(std::move(names.objects), std::move(names.pieces)),
                     .object_of = std::move(names.object_of),
                     .piece_of = std::move(names.piece_of),
                     .num_pieces = geometry.num_pieces};
}

/// Throws core::Error if a material in use needs something that the frame does not have.
void require_needs(const std::vector<std::unique_ptr<Material>>& materials, const Geometry& geometry,
                   const io::SnapshotPart& part) {
  for (const Surface& surface : geometry.surfaces) {
    const Needs needs = materials[surface.material]->needs();
    if (needs.rest && part.rest_position.empty())
      throw core::Error(
          "a render.material goes by positions at rest, which the frame does not have. Run the scene "
          "again with \"rest_position\" in output.fields, or choose another material.");
    if (needs.texture && !has_texture(part))
      throw core::Error(
          "a texture goes by texture coordinates, which the frame does not have (files of pieces made of "
          "a textured OBJ do). Give render.material.size_m, the width of the image on the surface.");
  }
}

}  // namespace

PreparedFrame::PreparedFrame(const io::Snapshot& snapshot, const Options& options)
    : options_(checked(options)),
      range_(range_of(snapshot, options)),
      camera_(camera_for(snapshot, options)),
      geometry_(build_geometry(snapshot, options, camera_, range_)),
      tracer_(geometry_),
      materials_(make_materials(options.appearance.materials)),
      lights_(make_lights(options, light_place(camera_, options, geometry_))),
      backdrop_(backdrop_of(camera_, options, geometry_)),
      stage_(make_stage(tracer_, materials_, lights_, backdrop_, options.transport)),
      rays_(camera_, options, geometry_.origin),
      layers_(layer_source(snapshot, options, geometry_)),
      renderer_(options_, stage_, rays_, layers_ ? &*layers_ : nullptr) {
  require_eye_outside(tracer_, camera_, snapshot.part, options);
  require_needs(materials_, geometry_, snapshot.part);
}

std::vector<float> PreparedFrame::rows(const RowShare& share, const std::function<void(double)>& progress,
                                       RayCount& count) const {
  const int height = share.count(options_.height);
  const std::size_t row_size = options_.width * num_values();
  std::vector<float> pixels(height * row_size);
  std::atomic<int> next_row = 0, num_done = 0;
  std::mutex counting;
  const auto work = [&](bool reports) {
    RayCount mine;
    for (int row = next_row++; row < height; row = next_row++) {
      const std::span values(&pixels[row * row_size], row_size);
      for (int x = 0; x < options_.width; ++x)
        renderer_.render(x, share.first + row * share.stride, values.subspan(x * num_values(), num_values()), mine);
      ++num_done;
      if (reports) progress(static_cast<double>(num_done) / height);
    }
    const std::scoped_lock lock(counting);
    count += mine;
  };
  std::vector<std::jthread> helpers;
  for (int i = 1; i < options_.threads; ++i) helpers.emplace_back(work, false);
  work(true);
  helpers.clear();  // joins
  return pixels;
}

Image PreparedFrame::image(std::span<const float> pixels) const {
  Image image(options_.width, options_.height);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = Eigen::Map<const Rgb>(&pixels[i * num_values()]);
  if (is_field(options_.colour_by)) draw_colour_bar(image, options_.colour_by, range_);
  return image;
}

LayeredImage PreparedFrame::layers(std::span<const float> pixels) const {
  const std::size_t num_layers = num_values() - 3;
  std::vector<float> values;
  values.reserve(num_layers * options_.width * options_.height);
  for (std::size_t first = 3; first < pixels.size(); first += num_values())
    values.insert(values.end(), &pixels[first], &pixels[first] + num_layers);
  return layers_->film.image(options_.width, options_.height, values);
}

}  // namespace brisance::render
