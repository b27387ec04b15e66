/// Keys of [camera]: the camera of `brisance render`.
#include "app/scene/binding.hpp"
#include "app/scene/tables/tables.hpp"

namespace brisance::app {

namespace {

using sim::CameraParameters;

constexpr auto kCamera = [](auto& s, std::size_t) -> auto& { return s.camera; };
constexpr auto kCameraKey = [](auto& s, std::size_t i) -> auto& { return s.camera.keys.at(i); };

}  // namespace

Table camera_table() {
  const Range pixels{.low = 16, .high = 16384};
  return {.path = "camera",
          .sentence = "The camera of `brisance render`; it does not affect the solver.",
          .keys = {
              bind(kCamera, &CameraParameters::automatic,
                   {.name = "automatic", .sentence = "Frame the whole motion; false: use eye_m and target_m."}),
              bind(kCamera, &CameraParameters::eye,
                   {.name = "eye_m", .unit = "m", .sentence = "Position of the camera.", .example = "[1, -1, 0.5]"}),
              bind(kCamera, &CameraParameters::target,
                   {.name = "target_m",
                    .unit = "m",
                    .sentence = "Point at the middle of the picture.",
                    .example = "[0, 0, 0.1]"}),
              bind(kCamera, &CameraParameters::up,
                   {.name = "up",
                    .unit = "–",
                    .sentence = "The direction that is up in the picture.",
                    .example = "[0, 0, 1]"}),
              bind(kCamera, &CameraParameters::field_of_view_deg,
                   {.name = "field_of_view_deg",
                    .unit = "°",
                    .sentence = "Vertical angle of view.",
                    .example = "35",
                    .range = {.low = 0, .high = 170, .low_open = true}}),
              bind(kCamera, &CameraParameters::width,
                   {.name = "width",
                    .unit = "pixels",
                    .sentence = "Width of the picture.",
                    .example = "960",
                    .range = pixels}),
              bind(kCamera, &CameraParameters::height,
                   {.name = "height",
                    .unit = "pixels",
                    .sentence = "Height of the picture.",
                    .example = "720",
                    .range = pixels}),
              bind(kCamera, &CameraParameters::aperture_m,
                   {.name = "aperture_m",
                    .unit = "m",
                    .sentence = "Diameter of the lens: things out of focus are blurred; 0: all is sharp. --aperture-m "
                                "overrides it.",
                    .example = "0.01",
                    .range = kNotNegative}),
              bind(kCamera, &CameraParameters::focus_m,
                   {.name = "focus_m",
                    .unit = "m",
                    .sentence = "Distance in focus, along the view's axis; 0: that of the target. --focus-m overrides "
                                "it.",
                    .example = "1.2",
                    .range = kNotNegative}),
          }};
}

Table camera_key_table() {
  return {
      .path = "camera.key",
      .sentence =
          "The camera at a moment. With two or more the camera moves: eye, target and angle follow a smooth "
          "curve through all of them, and rest at the first and the last.",
      .keys =
          {
              bind(kCameraKey, &CameraParameters::Key::time_s,
                   {.name = "time_s", .unit = "s", .sentence = "The moment; ascending.", .example = "0.01"}),
              bind(kCameraKey, &CameraParameters::Key::eye,
                   {.name = "eye_m", .unit = "m", .sentence = "Position of the camera.", .example = "[1, -1, 0.5]"}),
              bind(kCameraKey, &CameraParameters::Key::target,
                   {.name = "target_m",
                    .unit = "m",
                    .sentence = "Point at the middle of the picture.",
                    .example = "[0, 0, 0.1]"}),
              bind(kCameraKey, &CameraParameters::Key::field_of_view_deg,
                   {.name = "field_of_view_deg",
                    .unit = "°",
                    .sentence = "Vertical angle of view; 0: camera.field_of_view_deg.",
                    .example = "35",
                    .range = {.low = 0, .high = 170}}),
          },
      .count = [](const sim::Scene& s) { return s.camera.keys.size(); },
      .append = [](sim::Scene& s) { s.camera.keys.emplace_back(); }};
}

}  // namespace brisance::app
