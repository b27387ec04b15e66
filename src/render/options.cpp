#include "brisance/render/options.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::render {

const std::vector<std::string>& colour_by_names() {
  static const std::vector<std::string> names{
      "surface", "piece", "material", "speed", "von_mises_stress", "max_principal_stress", "plastic_strain"};
  return names;
}

ColourBy colour_by_named(const std::string& name) {
  const auto& names = colour_by_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<ColourBy>(found - names.begin());
  std::string choices;
  for (const auto& each : names) choices += (choices.empty() ? "" : ", ") + each;
  throw core::Error("cannot colour by \"" + name + "\". Choose one of " + choices + ".");
}

bool is_field(ColourBy colour_by) { return colour_by >= ColourBy::speed; }

void check(const Exposure& exposure) {
  const auto require = [](bool holds, const std::string& text) {
    if (!holds) throw core::Error(text);
  };
  require(exposure.noise >= 0 && exposure.noise < 1,
          "noise must be 0 (all samples) to 1, not " + std::to_string(exposure.noise) + ". 0.02 is good.");
  require(exposure.min_samples >= 2 && exposure.min_samples <= 65536,
          "min-samples must be 2 to 65536, not " + std::to_string(exposure.min_samples) + ".");
  require(exposure.shutter >= 0 && exposure.shutter <= 1, "shutter must be 0 to 1 of the frame interval, not " +
                                                              std::to_string(exposure.shutter) + ". Films have 0.5.");
  require(std::isfinite(exposure.aperture_m) && exposure.aperture_m >= 0,
          "aperture-m must be 0 or more, not " + std::to_string(exposure.aperture_m) + ".");
  require(std::isfinite(exposure.focus_m) && exposure.focus_m >= 0,
          "focus-m must be 0 (the target) or more, not " + std::to_string(exposure.focus_m) + ".");
}

void check(const Options& options) {
  check(options.exposure);
  auto require = [](bool holds, const std::string& text) {
    if (!holds) throw core::Error("picture: " + text);
  };
  require(options.width >= 1 && options.height >= 1 && options.width <= 32768 && options.height <= 32768,
          "width and height must be 1 to 32768 pixels, not " + std::to_string(options.width) + " x " +
              std::to_string(options.height) + ".");
  require(options.samples_per_pixel >= 1 && options.samples_per_pixel <= 65536,
          "samples per pixel must be 1 to 65536, not " + std::to_string(options.samples_per_pixel) + ".");
  require(options.threads >= 1, "at least one thread must work on it.");
  const double field_of_view_deg = options.camera ? options.camera->field_of_view_deg : options.view.field_of_view_deg;
  require(field_of_view_deg > 0 && field_of_view_deg < 170,
          "the field of view must lie between 0 and 170 degrees, not " + std::to_string(field_of_view_deg) + ".");
  require(!options.range || options.range->low < options.range->high, "the range of the colours must have low < high.");
  check(options.camera_keys);
  check(options.appearance);
  check(options.transport);
  require(options.view.margin >= 0 && options.view.margin < 0.9, "the margin must be 0 to 0.9 of half the picture.");
}

}  // namespace brisance::render
