#include "render/materials/pattern.hpp"

#include "brisance/core/random.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace brisance::render {
namespace {

const std::vector<std::string>& form_names() {
  static const std::vector<std::string> names{"none", "veins", "clouds", "speckles"};
  return names;
}

float smooth_step(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

/// One of twelve directions, towards the middles of a cube's edges, times an offset.
float slope(std::uint64_t hash, const Vec3f& offset) {
  static constexpr std::array<std::array<std::int8_t, 3>, 12> kDirections{{{1, 1, 0},
                                                                           {-1, 1, 0},
                                                                           {1, -1, 0},
                                                                           {-1, -1, 0},
                                                                           {1, 0, 1},
                                                                           {-1, 0, 1},
                                                                           {1, 0, -1},
                                                                           {-1, 0, -1},
                                                                           {0, 1, 1},
                                                                           {0, -1, 1},
                                                                           {0, 1, -1},
                                                                           {0, -1, -1}}};
  const auto& direction = kDirections[hash % kDirections.size()];
  return static_cast<float>(direction[0]) * offset[0] + static_cast<float>(direction[1]) * offset[1] +
         static_cast<float>(direction[2]) * offset[2];
}

/// Sum of noises of halved size and weight.
float several_octaves(Vec3f at, int count, std::uint64_t seed) {
  float sum = 0, weight = 1;
  for (int octave = 0; octave < count; ++octave) {
    sum += weight * lattice_noise(at, seed + static_cast<std::uint64_t>(octave));
    at *= 2;
    weight *= 0.5F;
  }
  return sum;
}

/// 1 in thin sheets where a distorted noise is zero, falling to 0 beside them. Sheets fade in and out.
float sheets(const Vec3f& at, float width, std::uint64_t seed) {
  const Vec3f bent = at + 0.5F * Vec3f(several_octaves(at, 3, seed + 10), several_octaves(at, 3, seed + 20),
                                       several_octaves(at, 3, seed + 30));
  const float across = lattice_noise(bent, seed) / width;
  const float presence = smooth_step(-0.25F, 0.45F, lattice_noise(0.7F * at, seed + 40));
  return presence * std::exp(-across * across);
}

float veins(const Vec3f& at) {
  const float large = sheets(at, 0.06F, 100), fine = sheets(2.7F * at, 0.05F, 200);
  const float haze = 0.25F * smooth_step(-0.2F, 0.8F, several_octaves(1.3F * at, 3, 300));
  return std::min(1.0F, std::max({large, 0.6F * fine, haze}));
}

}  // namespace

float lattice_noise(const Vec3f& at, std::uint64_t seed) {
  const Vec3f low = at.array().floor();
  const Vec3f in = at - low;
  const Vec3f blend = in.array().cube() * (in.array() * (in.array() * 6 - 15) + 10);
  std::array<float, 8> corners{};
  for (std::uint32_t c = 0; c < 8; ++c) {
    const Vec3f step(static_cast<float>(c & 1U), static_cast<float>((c >> 1) & 1U), static_cast<float>((c >> 2) & 1U));
    const Vec3f corner = low + step;
    const auto cell = [&](int axis) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(corner[axis])); };
    corners[c] = slope(core::hash_bits(core::hash_bits(seed, cell(0), cell(1)), cell(2), 0), in - step);
  }
  for (const auto& [axis, half] : {std::pair{0, 1U}, std::pair{1, 2U}, std::pair{2, 4U}})
    for (std::uint32_t c = 0; c < 8; c += 2 * half) corners[c] += blend[axis] * (corners[c + half] - corners[c]);
  return corners[0];
}

Pattern::Pattern(const Values& values)
    : form_(static_cast<Form>(std::ranges::find(form_names(), values.text("pattern")) - form_names().begin())),
      colour_(values.colour("pattern_colour")),
      size_m_(values.number("pattern_size_m")) {}

float Pattern::strength(const Vec3f& at) const {
  switch (form_) {
    case Form::veins:
      return veins(at);
    case Form::clouds:
      return smooth_step(-0.6F, 0.6F, several_octaves(at, 4, 400));
    case Form::speckles:
      return smooth_step(0.05F, 0.35F, several_octaves(at, 2, 500));
    default:
      return 0;
  }
}

Rgb Pattern::factor(const Vec3f& rest_position) const { return 1 + strength(rest_position / size_m_) * (colour_ - 1); }

std::vector<Parameter> pattern_parameters() {
  return {{.name = "pattern",
           .sentence = "diffuse, glazed, subsurface: variation of the colour in space at rest, which goes on across "
                       "cracks. veins: as of marble; clouds: stains, soot, weathered stone; speckles: as of granite.",
           .form = ParameterForm::choice,
           .normal = std::string("none"),
           .choices = form_names()},
          {.name = "pattern_colour",
           .sentence = "Factor on the colour where the pattern is strongest.",
           .form = ParameterForm::triple,
           .normal = Vec3(0.3, 0.3, 0.32),
           .low = 0,
           .high = 1},
          {.name = "pattern_size_m",
           .unit = "m",
           .sentence = "Distance between veins, size of clouds and speckles.",
           .normal = 0.05,
           .low = 0,
           .low_open = true}};
}

}  // namespace brisance::render
