#include "render/film/provenance.hpp"

#include "render/film/file_checksum.hpp"

#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <spdlog/fmt/fmt.h>

namespace brisance::render {
namespace {

namespace fs = std::filesystem;

std::string checksum_of(const fs::path& file) { return fmt::format("{:08x}", file_checksum(file)); }

/// Lines "name value". Aggregates are taken apart by structured bindings: a member that is added to one and not listed
/// here does not compile.
class Listing {
public:
  void add(std::string_view name, const std::string& value) { text_ += fmt::format("{} {}\n", name, value); }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void add(std::string_view name, Number value) { add(name, fmt::format("{}", value)); }
  template <class Choice>
  requires std::is_enum_v<Choice>
  void add(std::string_view name, Choice value) { add(name, static_cast<int>(value)); }
  void add(std::string_view name, const Rgb& colour) { add_triple(name, colour); }
  void add(std::string_view name, const Vec3& vector) { add_triple(name, vector); }
  template <class Value>
  void add(std::string_view name, const std::optional<Value>& value) {
    if (value) add(name, *value);
  }
  template <class Value>
  void add(std::string_view name, const std::vector<Value>& values) {
    for (const Value& value : values) add(name, value);
  }
  void add(std::string_view name, const ValueRange& range) {
    const auto& [low, high] = range;
    add(name, fmt::format("{} {}", low, high));
  }
  void add(std::string_view name, const Camera& camera);
  void add(std::string_view name, const CameraKey& key);
  void add(std::string_view name, const Specification& specification);
  void add(std::string_view name, const Assignment& assignment);
  void add(const View& view);
  void add(const Palette& palette);
  void add(const Lighting& lighting);
  void add(const Appearance& appearance);
  void add(const Transport& transport);
  void add(const Exposure& exposure);
  void add(const Options& options);

  [[nodiscard]] const std::string& text() const { return text_; }

private:
  template <class Triple>
  void add_triple(std::string_view name, const Triple& triple) {
    add(name, fmt::format("{} {} {}", triple[0], triple[1], triple[2]));
  }

  std::string text_;
};

void Listing::add(std::string_view name, const Camera& camera) {
  const auto& [eye, target, up, field_of_view_deg] = camera;
  add(name, "");
  add("eye", eye);
  add("target", target);
  add("up", up);
  add("field_of_view_deg", field_of_view_deg);
}

void Listing::add(std::string_view name, const CameraKey& key) {
  const auto& [time_s, camera] = key;
  add(name, time_s);
  add(name, camera);
}

/// Image files count by what is in them.
void Listing::add(std::string_view name, const Specification& specification) {
  const auto& [its_name, kind, values] = specification;
  add(name, its_name);
  add("kind", kind);
  for (const auto& entry : values) {
    std::visit([&](const auto& each) { add(entry.first, each); }, entry.second);
    const auto* const text = std::get_if<std::string>(&entry.second);
    std::error_code ignored;
    if (text != nullptr && fs::is_regular_file(*text, ignored)) add("checksum", checksum_of(*text));
  }
}

void Listing::add(std::string_view name, const Assignment& assignment) {
  const auto& [materials, collider, outside, cracks] = assignment;
  add(name, materials);
  add("collider", collider);
  add("outside", outside);
  add("cracks", cracks);
}

void Listing::add(const View& view) {
  const auto& [azimuth_deg, elevation_deg, up, field_of_view_deg, margin] = view;
  add("azimuth_deg", azimuth_deg);
  add("elevation_deg", elevation_deg);
  add("view_up", up);
  add("view_field_of_view_deg", field_of_view_deg);
  add("margin", margin);
}

void Listing::add(const Palette& palette) {
  const auto& [original, crack, collider, ground, ground_checker] = palette;
  add("original", original);
  add("crack", crack);
  add("collider", collider);
  add("ground", ground);
  add("ground_checker", ground_checker);
}

void Listing::add(const Lighting& lighting) {
  const auto& [sun, elevation_deg, azimuth_deg, radius_deg, zenith, horizon, top, bottom] = lighting;
  add("sun", sun);
  add("sun_elevation_deg", elevation_deg);
  add("sun_azimuth_from_view_deg", azimuth_deg);
  add("sun_radius_deg", radius_deg);
  add("sky_zenith", zenith);
  add("sky_horizon", horizon);
  add("background_top", top);
  add("background_bottom", bottom);
}

void Listing::add(const Appearance& appearance) {
  const auto& [materials, lights, assignments] = appearance;
  add("material", materials);
  add("light", lights);
  add("assignment", assignments);
}

void Listing::add(const Transport& transport) {
  const auto& [method, branching_depth, max_depth, caustics] = transport;
  add("method", method);
  add("branching_depth", branching_depth);
  add("max_depth", max_depth);
  add("caustics", caustics);
}

void Listing::add(const Exposure& exposure) {
  const auto& [noise, min_samples, shutter, frame_interval_s, aperture_m, focus_m] = exposure;
  add("noise", noise);
  add("min_samples", min_samples);
  add("shutter", shutter);
  add("frame_interval_s", frame_interval_s);
  add("aperture_m", aperture_m);
  add("focus_m", focus_m);
}

void Listing::add(const Options& options) {
  const auto& [width, height, samples, colour_by, range, camera, keys, view, explode, show_colliders, dust_share,
               crease_deg, palette, lighting, appearance, transport, exposure, layers, seed, threads] = options;
  static_cast<void>(threads);  // no bit depends on it
  static_cast<void>(layers);   // nor on this: it adds a file
  add("width", width);
  add("height", height);
  add("samples", samples);
  add("colour_by", colour_by);
  add("range", range);
  add("camera", camera);
  add("camera_key", keys);
  add(view);
  add("explode", explode);
  add("show_colliders", show_colliders);
  add("dust_share", dust_share);
  add("crease_deg", crease_deg);
  add(palette);
  add(lighting);
  add(appearance);
  add(transport);
  add(exposure);
  add("seed", seed);
}

}  // namespace

std::string provenance(const Options& options, const fs::path& snapshot) {
  static const std::string program = checksum_of("/proc/self/exe");
  Listing listing;
  listing.add("program", program);
  listing.add("snapshot", checksum_of(snapshot));
  listing.add(options);
  return listing.text();
}

}  // namespace brisance::render
