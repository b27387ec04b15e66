#include "render/film/layer_film.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace brisance::render {
namespace {

/// Depth where nothing is met: renderers write this number, since compositing programs do not expect infinity.
constexpr float kNothing_m = 1e10F;

/// Channels before those of Cryptomatte. Blender reads LAYER.CHANNEL with one letter for the channel, Nuke any name.
constexpr std::array kPlainChannels{
    "R",          "G",          "B",          "A",        "background.R", "background.G", "background.B",
    "albedo.R",   "albedo.G",   "albedo.B",   "normal.X", "normal.Y",     "normal.Z",     "Z",
    "velocity.X", "velocity.Y", "velocity.Z", "piece.X",  "samples.X"};

bool is_colour(const std::string& name) {
  return name.size() == 1 ? name != "Z" : name.starts_with("background.") || name.starts_with("albedo.");
}

/// Writes values one after the other.
class Cursor {
public:
  explicit Cursor(std::span<float> values) : next_(values.begin()) {}
  void put(float value) { *next_++ = value; }
  template <class Values>
  void put_all(const Values& values) {
    for (const float value : values) put(value);
  }

private:
  std::span<float>::iterator next_;
};

/// Numbers of names that the samples met.
std::vector<std::uint32_t> names_met(std::span<const Seen> seen, std::uint32_t Seen::*name) {
  std::vector<std::uint32_t> numbers;
  for (const Seen& each : seen)
    if (each.*name != kNoName) numbers.push_back(each.*name);
  return numbers;
}

}  // namespace

LayerFilm::LayerFilm(CryptoNames objects, CryptoNames pieces)
    : objects_(std::move(objects)), pieces_(std::move(pieces)), names_(kPlainChannels.begin(), kPlainChannels.end()) {
  for (const CryptoNames* const names : {&objects_, &pieces_})
    for (std::string& name : names->channels()) names_.push_back(std::move(name));
}

void LayerFilm::fill(const PixelSum& sum, std::span<const Seen> seen, std::span<float> pixel) const {
  const auto count = static_cast<float>(sum.num_samples);
  Rgb albedo = Rgb::Zero();
  Vec3f normal = Vec3f::Zero();
  for (const Seen& each : seen) {
    albedo += each.albedo;
    normal += each.normal;
  }
  const Seen& nearest = *std::ranges::min_element(seen, {}, &Seen::depth);
  Cursor cursor(pixel);
  cursor.put_all(Rgb((sum.radiance - sum.background) / count));
  cursor.put(static_cast<float>(sum.coverage) / count);
  cursor.put_all(Rgb(sum.background / count));
  cursor.put_all(Rgb(albedo / count));
  cursor.put_all(Vec3f(normal / count));
  cursor.put(std::min(nearest.depth, kNothing_m));
  cursor.put_all(nearest.velocity);
  cursor.put(nearest.piece_number);
  cursor.put(count);
  cursor.put_all(objects_.ranked(names_met(seen, &Seen::object), seen.size()));
  cursor.put_all(pieces_.ranked(names_met(seen, &Seen::piece), seen.size()));
}

LayeredImage LayerFilm::image(int width, int height, std::span<const float> pixels) const {
  LayeredImage image(width, height);
  const std::size_t num_channels = names_.size();
  for (std::size_t c = 0; c < num_channels; ++c) {
    std::vector<float>& values = image.add(names_[c], is_colour(names_[c]));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = pixels[i * num_channels + c];
  }
  objects_.add_notes(image.notes);
  pieces_.add_notes(image.notes);
  return image;
}

}  // namespace brisance::render
