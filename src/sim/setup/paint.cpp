#include "paint.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/layered_image.hpp"
#include "brisance/sim/setup/mesh_file.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace brisance::sim {

namespace {

constexpr std::array<double, 3> kLuminance{0.2126, 0.7152, 0.0722};  ///< of red, green, blue (ITU-R BT.709)
constexpr double kPaintRounding = 1e-9;

const mesh::Request& painted(const PlacedObject& placed) {
  const mesh::Request& request = placed.object.mesh;
  if (request.shape != mesh::ShapeKind::file || is_tet_mesh_file(request.file))
    throw core::Error(
        fmt::format("[[factor]]: object \"{}\" is not made of a surface file, so it has no paint. Name the painted "
                    "[[object]] in factor.object, or give a formula or a field.",
                    placed.object.name));
  return request;
}

const char* letter_of(PaintChannel channel) {
  switch (channel) {
    case PaintChannel::red:
      return "R";
    case PaintChannel::green:
      return "G";
    case PaintChannel::blue:
      return "B";
    case PaintChannel::alpha:
      return "A";
    case PaintChannel::luminance:
      break;
  }
  return "Y";
}

std::string names_of(const io::LayeredImage& image) {
  std::string names;
  for (const io::Channel& channel : image.channels) names += (names.empty() ? "" : ", ") + channel.name;
  return names;
}

/// The only channel of a grey image, besides alpha; else nullptr.
const io::Channel* grey_of(const io::LayeredImage& image) {
  const io::Channel* grey = nullptr;
  for (const io::Channel& channel : image.channels) {
    if (channel.name == "A") continue;
    if (grey != nullptr) return nullptr;
    grey = &channel;
  }
  return grey;
}

std::vector<double> values_of(const io::LayeredImage& image, PaintChannel wanted, const std::filesystem::path& file) {
  const io::Channel* one = image.find(letter_of(wanted));
  if (one == nullptr && wanted != PaintChannel::alpha) one = grey_of(image);
  if (one != nullptr) return {one->values.begin(), one->values.end()};
  const std::array colours{image.find("R"), image.find("G"), image.find("B")};
  if (wanted != PaintChannel::luminance || std::ranges::find(colours, nullptr) != colours.end())
    throw core::Error(
        fmt::format("[[factor]]: the image {} has the channels {}; none is {}. Choose another factor.channel.",
                    file.string(), names_of(image), letter_of(wanted)));
  std::vector<double> values(image.num_pixels());
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) values[i] += kLuminance[c] * colours[c]->values[i];
  return values;
}

/// Two pixels along an axis, and the share of the second.
struct Between {
  std::int64_t first, second;
  double share;
};

/// Opposite edges of the image blend only where it is repeated: paint that ends at its edge keeps its value there.
Between pixels_at(double along, std::int64_t size) {
  const bool is_inside = along >= 0 && along <= 1;
  const double x = (is_inside ? along : along - std::floor(along)) * static_cast<double>(size) - 0.5;
  const auto first = static_cast<std::int64_t>(std::floor(x));
  const auto held = [&](std::int64_t i) {
    return is_inside ? std::clamp<std::int64_t>(i, 0, size - 1) : (i + size) % size;
  };
  return {held(first), held(first + 1), x - static_cast<double>(first)};
}

}  // namespace

PaintImage::PaintImage(const std::filesystem::path& file, PaintChannel channel) {
  const io::LayeredImage image = io::read_layers(file);
  width_ = image.width, height_ = image.height;
  values_ = values_of(image, channel, file);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i] >= -kPaintRounding && values_[i] <= 1 + kPaintRounding) continue;
    throw core::Error(fmt::format(
        "[[factor]]: pixel ({}, {}) of the image {}, counted from the upper left, is {:g}; "
        "paint must be from 0 to 1. Scale the image, and set factor.black and factor.white.",
        static_cast<std::int64_t>(i) % width_, static_cast<std::int64_t>(i) / width_, file.string(), values_[i]));
  }
}

double PaintImage::at(const std::array<double, 2>& texture) const {
  const Between x = pixels_at(texture[0], width_), y = pixels_at(1 - texture[1], height_);
  const auto pixel = [&](std::int64_t column, std::int64_t row) {
    return values_[static_cast<std::size_t>(row * width_ + column)];
  };
  return (1 - y.share) * ((1 - x.share) * pixel(x.first, y.first) + x.share * pixel(x.second, y.first)) +
         y.share * ((1 - x.share) * pixel(x.first, y.second) + x.share * pixel(x.second, y.second));
}

Paint::Paint(const FactorParameters& factor, const PlacedObject& placed)
    : factor_(factor), object_(placed.object.name), surface_(painted(placed).file, placed.object.mesh.scale) {
  const std::string file = placed.object.mesh.file.string();
  if (factor.image.empty()) {
    if (surface_.has_colours()) return;
    throw core::Error(
        fmt::format("[[factor]]: {} has no vertex colours. Save it with them, as OBJ (v x y z r g b) or PLY (red, "
                    "green, blue), or paint with an image.",
                    file));
  }
  if (!surface_.has_texture())
    throw core::Error(
        fmt::format("[[factor]]: {} has no texture coordinates for the image {}. Save it with them, as OBJ (vt), or "
                    "paint its vertices.",
                    file, factor.image.string()));
  image_.emplace(factor.image, factor.channel);
}

double Paint::colour(const std::array<double, 3>& rgb) const {
  double value = 0;
  if (factor_.colour == VertexColour::luminance)
    for (std::size_t c = 0; c < 3; ++c) value += kLuminance[c] * rgb[c];
  else
    value = rgb[factor_.colour == VertexColour::red ? 0 : factor_.colour == VertexColour::green ? 1 : 2];
  if (value >= -kPaintRounding && value <= 1 + kPaintRounding) return value;
  throw core::Error(
      fmt::format("[[factor]]: object \"{}\" has a vertex colour of {:g}; paint must be from 0 to 1. Scale "
                  "the colours of its file, and set factor.black and factor.white.",
                  object_, value));
}

double Paint::at(const Vec3& x) {
  const mesh::PaintedSurface::Paint paint = surface_.at(x);
  const auto is_outside = [](double t) { return t < -kPaintRounding || t > 1 + kPaintRounding; };
  if (image_ && std::ranges::any_of(paint.texture, is_outside)) ++num_beyond_;
  const double value = std::clamp(image_ ? image_->at(paint.texture) : colour(paint.colour), 0.0, 1.0);
  return factor_.black + (factor_.white - factor_.black) * value;
}

std::optional<std::string> Paint::note() const {
  if (num_beyond_ == 0) return std::nullopt;
  return fmt::format("{}: texture coordinates of {} tets are outside 0 to 1: the image {} is repeated", object_,
                     num_beyond_, factor_.image.filename().string());
}

}  // namespace brisance::sim
