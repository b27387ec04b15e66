/// Renders one frame: from snapshot to geometry, rays and picture.
#include "brisance/core/error.hpp"
#include "brisance/render/render.hpp"

#include "colour_bar.hpp"
#include "fields.hpp"
#include "render/geometry/build.hpp"
#include "render/geometry/colliders.hpp"
#include "render/geometry/corners.hpp"
#include "render/integrator/path_tracer.hpp"
#include "render/tracing/eye.hpp"
#include "texture.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <mutex>
#include <thread>

#include <spdlog/fmt/fmt.h>

namespace brisance::render {
namespace {

/// Data shared by all rows of pixels.
struct Setup {
  const Options& options;
  const Stage& stage;
  CameraAxes axes;
  Vec3f eye;
  std::array<double, 2> tangents;
  std::uint32_t num_samples;
};

Rgb pixel_colour(const Setup& setup, int x, int y, RayCount& count) {
  const auto [width, height] = std::array{setup.options.width, setup.options.height};
  const std::uint64_t pixel = static_cast<std::uint64_t>(y) * width + x;
  Rgb sum = Rgb::Zero();
  for (std::uint32_t sample = 0; sample < setup.num_samples; ++sample) {
    Sampler sampler(setup.options.seed, pixel, sample, setup.num_samples);
    const Point2 inside = sampler.next();
    const double across = 2 * (x + inside.u) / width - 1, upward = 1 - 2 * (y + inside.v) / height;
    const Vec3 direction =
        setup.axes.forward + across * setup.tangents[0] * setup.axes.right + upward * setup.tangents[1] * setup.axes.up;
    const Ray ray{.origin = setup.eye, .direction = direction.normalized().cast<float>()};
    sum += PathTracer(setup.stage, sampler, count).radiance(ray);
  }
  return sum / static_cast<float>(setup.num_samples);
}

Image trace_picture(const Setup& setup, RayCount& count) {
  Image image(setup.options.width, setup.options.height);
  std::atomic<int> next_row = 0;
  std::mutex counting;
  auto work = [&] {
    RayCount mine;
    for (int y = next_row++; y < image.height; y = next_row++)
      for (int x = 0; x < image.width; ++x) image.at(x, y) = pixel_colour(setup, x, y, mine);
    const std::scoped_lock lock(counting);
    count += mine;
  };
  std::vector<std::jthread> helpers;
  for (int i = 1; i < setup.options.threads; ++i) helpers.emplace_back(work);
  work();
  helpers.clear();  // joins
  return image;
}

/// Pieces with less than this share of the elements; never the largest.
std::vector<bool> dust_pieces(const io::SnapshotPart& part, double share) {
  std::vector<std::size_t> num_elements;
  for (const std::int64_t piece : part.piece) {
    if (piece >= static_cast<std::int64_t>(num_elements.size())) num_elements.resize(piece + 1, 0);
    ++num_elements[piece];
  }
  const std::size_t largest = num_elements.empty() ? 0 : *std::max_element(num_elements.begin(), num_elements.end());
  const double fewest = std::min(share * static_cast<double>(part.piece.size()), static_cast<double>(largest));
  std::vector<bool> is_dust;
  for (const std::size_t n : num_elements) is_dust.push_back(static_cast<double>(n) < fewest);
  return is_dust;
}

Camera camera_for(const io::Snapshot& snapshot, const Options& options) {
  if (!options.camera_keys.empty()) return camera_at(options.camera_keys, snapshot.header.time_s);
  if (options.camera) return *options.camera;
  Framing framing(options.view, options.width, options.height);
  add_to_framing(framing, snapshot, options);
  return framing.camera();
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

/// Small pieces may fly through the camera; from inside an object there is nothing to see.
void require_eye_outside(const Tracer& tracer, const Camera& camera, const io::SnapshotPart& part,
                         const Options& options) {
  const auto around = solids_around(tracer, (camera.eye - tracer.geometry().origin).cast<float>());
  if (around.empty()) return;
  const auto is_dust = dust_pieces(part, options.dust_share);
  for (const std::uint32_t solid : around)
    if (solid < is_dust.size() && !is_dust[solid])
      throw core::Error(
          fmt::format("the camera at ({:g}, {:g}, {:g}) m is inside an object. Move camera.eye_m out of it.",
                      camera.eye.x(), camera.eye.y(), camera.eye.z()));
}

}  // namespace

void add_to_framing(Framing& framing, const io::Snapshot& snapshot, const Options& options) {
  const auto below = elements_below(snapshot.part);
  const Corners corners = exploded_corners(snapshot.part, below, options.explode);
  const auto is_dust = dust_pieces(snapshot.part, options.dust_share);
  Eigen::AlignedBox3d box;
  for (std::size_t t = 0; t < corners.size(); ++t) {
    if (is_dust[snapshot.part.piece[below[t]]]) continue;
    for (const Vec3& x : corners[t]) {
      framing.add(x);
      box.extend(x);
    }
  }
  if (!options.show_colliders || options.explode != 0) return;
  for (const auto& collider : snapshot.header.colliders)
    if (const double radius = bounding_radius(collider); radius > 0 && 2 * radius <= box.diagonal().norm())
      framing.add_ball(collider.centre, radius);
}

Image render_frame(const io::Snapshot& snapshot, const Options& options, RayCount* count) {
  check(options);
  const bool coloured_by_field = is_field(options.colour_by);
  const ValueRange range = options.range       ? *options.range
                           : coloured_by_field ? frame_range(snapshot.part, options.colour_by)
                                               : ValueRange{};
  const Camera camera = camera_for(snapshot, options);
  const Geometry geometry = build_geometry(snapshot, options, camera, range);
  const Tracer tracer(geometry);
  require_eye_outside(tracer, camera, snapshot.part, options);
  const CameraAxes axes = camera_axes(camera);
  const auto tangents = view_tangents(camera.field_of_view_deg, options.width, options.height);
  const auto materials = make_materials(options.appearance.materials);
  require_needs(materials, geometry, snapshot.part);
  const CameraAxes sun_axes = options.camera_keys.empty() ? axes : camera_axes(options.camera_keys.front().camera);
  const Lights lights =
      make_lights(options, {.axes = sun_axes, .up = camera.up.normalized(), .origin = geometry.origin});
  const Backdrop backdrop(options, axes, tangents, geometry.plane_view);
  const Stage stage = make_stage(tracer, materials, lights, backdrop, options.transport);
  RayCount rays;
  Image image = trace_picture({.options = options,
                               .stage = stage,
                               .axes = axes,
                               .eye = (camera.eye - geometry.origin).cast<float>(),
                               .tangents = tangents,
                               .num_samples = std::bit_ceil(static_cast<std::uint32_t>(options.samples_per_pixel))},
                              rays);
  if (count != nullptr) *count += rays;
  if (coloured_by_field) draw_colour_bar(image, options.colour_by, range);
  return image;
}

}  // namespace brisance::render
