#include "app/commands/picture_options.hpp"

#include "app/scene/surface_materials.hpp"

#include <algorithm>

namespace brisance::app {

namespace {

void take_camera(render::Options& options, const sim::CameraParameters& camera) {
  options.width = camera.width;
  options.height = camera.height;
  options.exposure.aperture_m = camera.aperture_m;
  options.exposure.focus_m = camera.focus_m;
  options.view.up = camera.up;
  options.view.field_of_view_deg = camera.field_of_view_deg;
  if (!camera.automatic)
    options.camera = render::Camera{camera.eye, camera.target, camera.up, camera.field_of_view_deg};
  for (const auto& key : camera.keys)
    options.camera_keys.push_back(
        {.time_s = key.time_s,
         .camera = {key.eye, key.target, camera.up,
                    key.field_of_view_deg > 0 ? key.field_of_view_deg : camera.field_of_view_deg}});
}

render::Method method_named(const std::string& name) {
  const auto& names = render::method_names();
  return static_cast<render::Method>(std::ranges::find(names, name) - names.begin());
}

}  // namespace

void take_from_scene(render::Options& options, const sim::Scene& scene) {
  take_camera(options, scene.camera);
  const sim::RenderParameters& pictures = scene.render;
  options.samples_per_pixel = pictures.samples;
  options.threads = pictures.threads;
  options.exposure.noise = pictures.noise;
  options.exposure.min_samples = pictures.min_samples;
  options.exposure.shutter = pictures.shutter;
  options.transport = {.method = method_named(pictures.method),
                       .branching_depth = pictures.branching_depth,
                       .max_depth = pictures.max_depth,
                       .caustics = pictures.caustics};
  options.lighting.background_top = pictures.background_top.cast<float>().array();
  options.lighting.background_bottom = pictures.background_bottom.cast<float>().array();
  options.appearance = {
      .materials = pictures.materials, .lights = pictures.lights, .assignments = assignments_of(scene)};
}

}  // namespace brisance::app
