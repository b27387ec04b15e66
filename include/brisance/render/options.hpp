/// Content and style of a picture; set from the command line and the scene file.
#pragma once

#include "brisance/render/appearance.hpp"
#include "brisance/render/camera.hpp"
#include "brisance/render/colour.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace brisance::render {

enum class ColourBy : std::uint8_t {
  surface,               ///< two colours: original surface and crack surface
  piece,                 ///< a colour for each connected piece
  material,              ///< a colour for each material
  speed,                 ///< |v| at nodes [m/s]
  von_mises_stress,      ///< of the element under the triangle [Pa]
  max_principal_stress,  ///< of the element under the triangle [Pa]
  plastic_strain,        ///< Frobenius norm of ε^p of the element under the triangle [–]
};
[[nodiscard]] const std::vector<std::string>& colour_by_names();
/// The choice of that name. Throws core::Error naming the choices.
[[nodiscard]] ColourBy colour_by_named(const std::string& name);
/// Do the colours represent numbers (explained by a colour bar)?
[[nodiscard]] bool is_field(ColourBy colour_by);

struct ValueRange {
  double low = 0, high = 1;
};

/// Albedos of surfaces that are not coloured by a field.
struct Palette {
  Rgb original = Rgb(0.40F, 0.150F, 0.075F);  ///< fired clay
  Rgb crack = Rgb(0.70F, 0.60F, 0.45F);       ///< its pale inside
  Rgb collider = Rgb(0.16F, 0.19F, 0.24F);    ///< spheres, boxes and meshes
  Rgb ground = Rgb(0.47F, 0.475F, 0.48F);     ///< planes
  float ground_checker = 0.055F;              ///< contrast of the tiles on a plane
};

/// Sun, sky and background. Brightness: the radiance of a white Lambert surface facing it.
struct Lighting {
  Rgb sun = Rgb(1.30F, 1.18F, 1.00F);
  double sun_elevation_deg = 48;
  double sun_azimuth_from_view_deg = -58;  ///< to the left behind the camera
  double sun_radius_deg = 2.5;             ///< larger than the real sun: softer shadows
  Rgb sky_zenith = Rgb(0.30F, 0.36F, 0.46F);
  Rgb sky_horizon = Rgb(0.46F, 0.46F, 0.46F);
  Rgb background_top = Rgb(0.24F, 0.28F, 0.34F);
  Rgb background_bottom = Rgb(0.58F, 0.59F, 0.60F);
};

/// How light is gathered over a pixel, the lens and the time that the shutter is open.
struct Exposure {
  double noise = 0;             ///< a pixel ends once its relative standard error is below this; 0: after all samples
  int min_samples = 16;         ///< before it may end
  double shutter = 0;           ///< share of the frame interval that the shutter is open: motion blur
  double frame_interval_s = 0;  ///< [s]
  double aperture_m = 0;        ///< diameter of the lens [m]: depth of field
  double focus_m = 0;           ///< distance in focus, along the view's axis [m]; 0: that of the camera's target
};

/// Throws core::Error for values out of range. Local.
void check(const Exposure& exposure);

struct Options {
  int width = 960, height = 720;  ///< [pixels]
  int samples_per_pixel = 16;     ///< rounded up to a power of two
  ColourBy colour_by = ColourBy::surface;
  std::optional<ValueRange> range;     ///< range of the field; default: computed over all frames
  std::optional<Camera> camera;        ///< default: one that frames the whole motion, seen from `view`
  std::vector<CameraKey> camera_keys;  ///< a camera that moves with the time of frames, instead of `camera`
  View view;
  double explode = 0;          ///< displacement of pieces as a share of their distance from the centre
  bool show_colliders = true;  ///< colliders are left out when exploded
  double dust_share = 1e-3;    ///< share of the elements below which pieces may leave the picture
  double crease_deg = 40;      ///< bends of the original surface below this are shaded smoothly
  Palette palette;
  Lighting lighting;
  Appearance appearance;
  Transport transport;
  Exposure exposure;
  bool layers = false;  ///< gather what layered pictures show beside colours
  std::uint64_t seed = 1;
  int threads = 1;  ///< the picture does not depend on it
};

/// Throws core::Error for a picture without pixels, samples below 1 and similar errors.
void check(const Options& options);

}  // namespace brisance::render
