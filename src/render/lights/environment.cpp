#include "render/lights/environment.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace brisance::render {
namespace {

constexpr float kWholeTurn = 2 * std::numbers::pi_v<float>;

/// Index of the interval of an ascending list that contains a share of its last number, and the place in it, 0 … 1.
std::pair<std::size_t, float> inverted(const double* first, std::size_t count, float share) {
  const double target = share * first[count];
  const double* above = std::upper_bound(first + 1, first + count, target);
  const double low = *(above - 1), width = *above - low;
  return {static_cast<std::size_t>(above - 1 - first),
          width > 0 ? std::clamp(static_cast<float>((target - low) / width), 0.0F, 1.0F) : 0.5F};
}

/// Sine of the polar angle in the middle of a row, in proportion to the solid angle of its pixels.
float sine_of_row(int y, int height) {
  return std::sin(std::numbers::pi_v<float> * (static_cast<float>(y) + 0.5F) / static_cast<float>(height));
}

}  // namespace

Environment::Environment(Image image, float strength, const Vec3f& up, float azimuth)
    : image_(std::move(image)), up_(up) {
  for (Rgb& pixel : image_.pixels) pixel *= strength;
  const Vec3f hint = std::abs(up.x()) < 0.9F ? Vec3f(Vec3f::UnitX()) : Vec3f(Vec3f::UnitY());
  const Vec3f x = (hint - hint.dot(up) * up).normalized(), y = up.cross(x);
  right_ = std::cos(azimuth) * x + std::sin(azimuth) * y;
  back_ = up.cross(right_);
  rows_.push_back(0);
  for (int row = 0; row < image_.height; ++row) {
    double sum = 0;
    columns_.push_back(0);
    for (int column = 0; column < image_.width; ++column) columns_.push_back(sum += weight_of(column, row));
    rows_.push_back(rows_.back() + sum * sine_of_row(row, image_.height));
  }
  if (!(rows_.back() > 0)) throw core::Error("the environment image is black everywhere; it lights nothing.");
}

float Environment::weight_of(int x, int y) const {
  float weight = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      weight = std::max(
          weight, image_.at((x + dx + image_.width) % image_.width, std::clamp(y + dy, 0, image_.height - 1)).sum());
  return weight;
}

Eigen::Vector2f Environment::place_of(const Vec3f& direction) const {
  const float turn = std::atan2(direction.dot(back_), direction.dot(right_)) / kWholeTurn;
  const float polar = std::acos(std::clamp(direction.dot(up_), -1.0F, 1.0F)) / std::numbers::pi_v<float>;
  return {0.5F - turn, polar};  // seen from inside, azimuth grows to the left
}

Vec3f Environment::direction_at(const Eigen::Vector2f& place) const {
  const float azimuth = kWholeTurn * (0.5F - place.x()), polar = std::numbers::pi_v<float> * place.y();
  return std::sin(polar) * (std::cos(azimuth) * right_ + std::sin(azimuth) * back_) + std::cos(polar) * up_;
}

Rgb Environment::radiance_at(const Eigen::Vector2f& place) const {
  const float x = place.x() * static_cast<float>(image_.width) - 0.5F;
  const float y = place.y() * static_cast<float>(image_.height) - 0.5F;
  const int left = static_cast<int>(std::floor(x)), top = static_cast<int>(std::floor(y));
  const float u = x - static_cast<float>(left), v = y - static_cast<float>(top);
  const auto pixel = [&](int i, int j) {
    return image_.at((i + image_.width) % image_.width, std::clamp(j, 0, image_.height - 1));
  };
  return (1 - v) * ((1 - u) * pixel(left, top) + u * pixel(left + 1, top)) +
         v * ((1 - u) * pixel(left, top + 1) + u * pixel(left + 1, top + 1));
}

float Environment::density_at(const Eigen::Vector2f& place, float sine) const {
  const int x = std::clamp(static_cast<int>(place.x() * static_cast<float>(image_.width)), 0, image_.width - 1);
  const int y = std::clamp(static_cast<int>(place.y() * static_cast<float>(image_.height)), 0, image_.height - 1);
  const auto row = static_cast<std::size_t>(y) * (static_cast<std::size_t>(image_.width) + 1);
  const double weight = columns_[row + static_cast<std::size_t>(x) + 1] - columns_[row + static_cast<std::size_t>(x)];
  const double share = weight * sine_of_row(y, image_.height) / rows_.back();
  // a pixel has the solid angle (2π/width) (π/height) sin θ
  const double pixels = static_cast<double>(image_.width) * image_.height;
  return static_cast<float>(share * pixels / (kWholeTurn * std::numbers::pi * std::max(sine, 1e-6F)));
}

std::optional<LightSample> Environment::sample(const Vec3f& /*point*/, Point2 random) const {
  const auto width = static_cast<std::size_t>(image_.width), height = static_cast<std::size_t>(image_.height);
  const auto [row, down] = inverted(rows_.data(), height, random.v);
  const auto [column, across] = inverted(columns_.data() + row * (width + 1), width, random.u);
  const Eigen::Vector2f place((static_cast<float>(column) + across) / static_cast<float>(width),
                              (static_cast<float>(row) + down) / static_cast<float>(height));
  const float sine = std::sin(std::numbers::pi_v<float> * place.y());
  return LightSample{
      .direction = direction_at(place).normalized(), .radiance = radiance_at(place), .pdf = density_at(place, sine)};
}

std::optional<Emission> Environment::emitted(const Ray& ray) const {
  const Eigen::Vector2f place = place_of(ray.direction);
  const float sine = ray.direction.cross(up_).norm();
  return Emission{.radiance = radiance_at(place), .distance = kFar, .pdf = density_at(place, sine)};
}

Kind environment_kind() {
  return {.name = "environment",
          .sentence = "an image of the surroundings, which is the background too",
          .parameters = {
              {.name = "file",
               .unit = "",
               .sentence = "texture, environment: the image.",
               .form = ParameterForm::file,
               .is_required = true},
              {.name = "strength",
               .sentence = "environment: factor on its radiance.",
               .normal = 1.0,
               .low = 0,
               .low_open = true},
              {.name = "rotation_deg",
               .unit = "°",
               .sentence = "environment: azimuth of the image's middle about camera.up, counter-clockwise from x.",
               .normal = 0.0,
               .low = -360,
               .high = 360}}};
}

std::unique_ptr<Light> make_environment(const Values& values, const LightPlace& place) {
  return std::make_unique<Environment>(read_image(values.text("file")), values.number("strength"),
                                       place.up.cast<float>(), values.number("rotation_deg") * kWholeTurn / 360);
}

}  // namespace brisance::render
